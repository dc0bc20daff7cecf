import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { startTestService } from '../../start.ts';
import { asWindow } from '../../as-window.ts';
import { jobIn, makeFiles, register, sparseFile } from '../registration/support.ts';
import { run, same, useExports } from './export-scene.ts';

const scene = useExports();
const { service, writing } = scene;

async function exported(format: string, id = 'run'): Promise<Job> {
  const { status, body } = await asWindow(service, 'POST', `/api/v4/local/measurements/${id}/exports`, {
    directory: scene.target,
    format,
  });
  expect(status).toBe(202);
  return jobIn(service, (body as Job).id, 'done', 'failed', 'cancelled');
}

for (const copy of [false, true]) {
  test(`a folder is exported as it was registered (${copy ? 'copied' : 'by reference'}), and nothing is overwritten`, async () => {
    await register(service, { path: service.run, copy });
    expect(await exported('folder')).toMatchObject({
      state: 'done',
      result: path.join(scene.target, 'run'),
      files_done: 4,
      bytes_done: 1_500_009,
    });
    await same(service.run, path.join(scene.target, 'run'));
    expect((await stat(path.join(scene.target, 'run/a.txt'))).mtimeMs).toBe(1_700_000_000_000);
    await writeFile(path.join(scene.target, 'run/mine.txt'), 'mine');
    expect(await exported('folder')).toMatchObject({ result: path.join(scene.target, 'run-2') });
    expect(await readFile(path.join(scene.target, 'run/mine.txt'), 'utf8')).toBe('mine');
    expect((await readdir(scene.target)).toSorted()).toEqual(['run', 'run-2']);
  });
}

test('the ZIP is identical to the download', async () => {
  await register(service, { path: service.run });
  const job = await exported('zip');
  expect(job).toMatchObject({ state: 'done', result: path.join(scene.target, 'run.zip'), files_done: 4 });
  const token = await service.token((await service.services.users.byUsername('alice'))?.id ?? 0);
  const response = await fetch(`${service.url}/measurements/run`, { headers: { authorization: `Bearer ${token}` } });
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  expect(hash(await readFile(job.result ?? ''))).toBe(hash(new Uint8Array(await response.arrayBuffer())));
  await run('unzip', ['-q', job.result ?? '', '-d', path.join(service.files, 'unpacked')]);
  await same(service.run, path.join(service.files, 'unpacked'));
  expect((await exported('zip')).result).toBe(path.join(scene.target, 'run-2.zip'));
});

test('a bag is complete and valid by the rules of RFC 8493', async () => {
  await register(service, { path: service.run });
  const bag = (await exported('bagit')).result ?? '';
  await same(service.run, path.join(bag, 'data'));
  expect(await readFile(path.join(bag, 'bagit.txt'), 'utf8')).toBe(
    'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
  );
  expect(await readFile(path.join(bag, 'bag-info.txt'), 'utf8')).toMatch(/^Payload-Oxum: 1500009\.4$/m);
  const manifest = await readFile(path.join(bag, 'manifest-sha256.txt'), 'utf8');
  expect(manifest).toContain('  data/deep/er/ü 100%25.csv\n');
  // sha256sum does not know BagIt's percent-encoding.
  await writeFile(path.join(service.files, 'payload'), manifest.replaceAll('%25', '%'));
  await run('sha256sum', ['--check', '--strict', '--quiet', path.join(service.files, 'payload')], { cwd: bag });
  await run('sha256sum', ['--check', '--strict', '--quiet', 'tagmanifest-sha256.txt'], { cwd: bag });
  const tags = (await readFile(path.join(bag, 'tagmanifest-sha256.txt'), 'utf8')).trim().split('\n');
  expect(tags.map((line) => line.slice(66)).toSorted()).toEqual(['bag-info.txt', 'bagit.txt', 'manifest-sha256.txt']);
  expect((await readdir(bag)).toSorted()).toEqual([
    'bag-info.txt',
    'bagit.txt',
    'data',
    'manifest-sha256.txt',
    'tagmanifest-sha256.txt',
  ]);
});

interface Entity {
  readonly '@id': string;
  readonly '@type': string;
  readonly [name: string]: unknown;
}

test('an RO-Crate describes every file', async () => {
  await register(service, { path: service.run, title: 'Run "7" of the week' });
  const crate = (await exported('ro-crate')).result ?? '';
  await same(service.run, path.join(crate, 'data'));
  const { '@context': context, '@graph': graph } = JSON.parse(
    await readFile(path.join(crate, 'ro-crate-metadata.json'), 'utf8'),
  ) as {
    '@context': string;
    '@graph': Entity[];
  };
  expect(context).toBe('https://w3id.org/ro/crate/1.2/context');
  const byId = new Map(graph.map((entity) => [entity['@id'], entity]));
  expect(byId.get('ro-crate-metadata.json')).toMatchObject({
    '@type': 'CreativeWork',
    about: { '@id': './' },
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
  });
  const root = byId.get('./');
  expect(root).toMatchObject({ '@type': 'Dataset', name: 'Run "7" of the week', identifier: 'run' });
  expect(typeof root?.['description']).toBe('string');
  expect(Number.isNaN(Date.parse(String(root?.['datePublished'])))).toBe(false);
  expect(byId.has((root?.['license'] as Entity | undefined)?.['@id'] ?? '')).toBe(true);
  const parts = ((root?.['hasPart'] ?? []) as Entity[]).map((part) => part['@id']);
  expect(parts).toEqual(['data/a.txt', 'data/big.bin', 'data/deep/er/%C3%BC%20100%25.csv', 'data/empty.dat']);
  for (const id of parts) {
    const file = byId.get(id);
    const bytes = await readFile(path.join(crate, decodeURIComponent(id)));
    expect(file).toMatchObject({
      '@type': 'File',
      contentSize: String(bytes.length),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      encodingFormat: expect.any(String) as string,
    });
  }
});

test('U7: an RO-Crate has the list of files left out, described beside the payload', async () => {
  const linked = path.join(service.files, 'linked');
  await mkdir(linked);
  await writeFile(path.join(linked, 'left-out.txt'), 'a file of the measurement with the same name');
  await symlink('nowhere', path.join(linked, 'dangling'));
  await symlink('nowhere', path.join(linked, 'over there'));
  await register(service, { path: linked, leave_out: true });
  const crate = (await exported('ro-crate', 'linked')).result ?? '';
  const { '@graph': graph } = JSON.parse(await readFile(path.join(crate, 'ro-crate-metadata.json'), 'utf8')) as {
    '@graph': Entity[];
  };
  const byId = new Map(graph.map((entity) => [entity['@id'], entity]));
  expect(byId.get('./')).toMatchObject({
    hasPart: [{ '@id': 'left-out.txt' }, { '@id': 'data/left-out.txt' }],
    description: expect.stringMatching(
      / 2 names were left out when this measurement was registered; see left-out\.txt\.$/,
    ) as string,
  });
  const bytes = await readFile(path.join(crate, 'left-out.txt'));
  expect(byId.get('left-out.txt')).toEqual({
    '@id': 'left-out.txt',
    '@type': 'File',
    name: 'left-out.txt',
    description: '2 names were left out when this measurement was registered; each is listed with its reason.',
    contentSize: String(bytes.length),
    encodingFormat: 'text/plain',
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const bag = (await exported('bagit', 'linked')).result ?? '';
  expect(await readFile(path.join(bag, 'left-out.txt'), 'utf8')).toBe(bytes.toString());
  expect(bytes.toString().split('\n').slice(1).toSorted()).toEqual([
    '',
    'dangling: it is a symbolic link',
    'over there: it is a symbolic link',
  ]);
});

test('an empty measurement can be exported in every format', async () => {
  const empty = path.join(service.files, 'empty');
  await mkdir(empty);
  await register(service, { path: empty });
  for (const format of ['folder', 'zip', 'bagit', 'ro-crate'])
    expect(await exported(format, 'empty')).toMatchObject({ state: 'done' });
  JSON.parse(await readFile(path.join(scene.target, 'empty-3/ro-crate-metadata.json'), 'utf8'));
});

test.each(['folder', 'zip', 'bagit', 'ro-crate'])(
  'an altered file fails the export as %s with its name, and leaves nothing',
  async (format) => {
    await register(service, { path: service.run });
    await makeFiles(service.run, { 'a.txt': 'alphb' });
    expect(await exported(format)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('a.txt: ') as string,
    });
    expect(await readdir(scene.target)).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'who may write to the folder around it can put a link in its place, and nothing is written or removed behind that',
  async () => {
    await sparseFile(path.join(service.run, 'huge.bin'), 200_000_000);
    await makeFiles(service.run, { 'z.txt': 'last' });
    await register(service, { path: service.run });
    const elsewhere = path.join(service.files, 'elsewhere');
    await makeFiles(elsewhere, { 'export/mine.txt': 'mine' });
    const act = async (id: number, action: string) => asWindow(service, 'POST', `/api/v4/jobs/${id}`, { action });
    const swapped = async (): Promise<number> => {
      const { body } = await asWindow(service, 'POST', '/api/v4/local/measurements/run/exports', {
        directory: scene.target,
        format: 'folder',
      });
      const { id } = body as Job;
      await writing(service, id);
      await act(id, 'pause');
      const [name = ''] = await readdir(scene.target);
      expect((await stat(path.join(scene.target, name))).mode & 0o777).toBe(0o700);
      await rename(path.join(scene.target, name), path.join(service.files, 'aside'));
      await symlink(elsewhere, path.join(scene.target, name));
      return id;
    };
    const left = async (): Promise<readonly string[]> => (await readdir(elsewhere, { recursive: true })).toSorted();
    const first = await swapped();
    await act(first, 'resume');
    const { state, result } = await jobIn(service, first, 'done', 'failed');
    expect([state, await left()]).toEqual(['done', ['export', 'export/mine.txt']]);
    await same(service.run, result ?? '');
    await rm(path.join(service.files, 'aside'), { recursive: true });
    await rm(scene.target, { recursive: true });
    await mkdir(scene.target);
    await act(await swapped(), 'cancel');
    expect(await left()).toEqual(['export', 'export/mine.txt']);
  },
);

test('the sample is copied into the library under its own id', async () => {
  const assetsDir = path.join(service.files, 'assets');
  await makeFiles(path.join(assetsDir, 'sample-measurement'), { 'spectrum.csv': '1,2' });
  const other = await startTestService({ assetsDir });
  try {
    await other.user('alice', true);
    const { status, body } = await asWindow(other, 'POST', '/api/v4/local/sample');
    expect(status).toBe(202);
    await jobIn(other, (body as Job).id, 'done');
    expect(await other.services.measurements.byId('sample')).toMatchObject({
      storage: 'library',
      title: 'Sample measurement',
      file_count: 1,
    });
    expect((await asWindow(other, 'POST', '/api/v4/local/sample')).status).toBe(409);
  } finally {
    await other.end();
  }
});
