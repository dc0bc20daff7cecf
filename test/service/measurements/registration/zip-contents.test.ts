import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Inspection } from '../../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../../as-window.ts';
import { makeFiles, register, startWithFolder } from './support.ts';
import { buildZip } from './zip-builder.ts';
import { useWorld } from '../../use-service.ts';
import { archivesIn } from './zip-scene.ts';

const service = useWorld(startWithFolder);
const archive = archivesIn(service);

const run = promisify(execFile);

test('an ordinary archive is unpacked into the library', async () => {
  const folder = path.join(service.files, 'ordinary');
  await makeFiles(folder, {
    'a/deep/file.txt': 'text '.repeat(5000),
    'b.bin': Buffer.alloc(700_000, 5),
    'empty.dat': '',
    '.DS_Store': 'x',
    'übung.csv': '1,2',
  });
  const file = path.join(service.files, 'ordinary.zip');
  await run('python3', [
    '-c',
    'import shutil,sys; shutil.make_archive(sys.argv[1][:-4],"zip",sys.argv[2])',
    file,
    folder,
  ]);
  const inspection = (await asWindow(service, 'POST', '/api/v4/local/inspect', { path: file })).body as Inspection;
  expect(inspection).toMatchObject({
    kind: 'zip',
    suggested_id: 'ordinary',
    suggested_title: 'ordinary',
    file_count: 4,
    total_bytes: 725_003,
    ignored: ['.DS_Store'],
    refusals: [],
  });
  const job = await register(service, { path: file });
  expect(job).toMatchObject({ state: 'done', files_done: 4 });
  const rows = await service.services.files.from(job.measurement_id, 0, 10);
  expect(rows.map((row) => row.path)).toEqual(['a/deep/file.txt', 'b.bin', 'empty.dat', 'übung.csv']);
  for (const row of rows) {
    const { stdout } = await run('sh', ['-c', 'sha256sum < "$1"', 'sh', path.join(folder, row.path)]);
    expect(stdout.slice(0, 64)).toBe(row.sha256.toString('hex'));
  }
});

test('names without a flag are read as UTF-8 if they are valid, otherwise as code page 437', async () => {
  const file = await archive(
    buildZip([
      { name: 'ä.txt', data: '1', flags: 0 },
      { name: Buffer.from([0x94, 0x2e, 0x74]), data: '2', flags: 0 },
    ]),
  );
  const job = await register(service, { path: file });
  expect(job).toMatchObject({ state: 'done' });
  expect((await service.services.files.from(job.measurement_id, 0, 10)).map((row) => row.path)).toEqual([
    'ä.txt',
    'ö.t',
  ]);
});

test('an archive in ZIP64 form, with data descriptors, is read', async () => {
  const file = path.join(service.files, 'zip64.zip');
  const script = `
import zipfile, sys
class Pipe:
    def __init__(self, f): self.f = f
    def write(self, b): return self.f.write(b)
    def flush(self): self.f.flush()
with open(sys.argv[1], 'wb') as f, zipfile.ZipFile(Pipe(f), 'w', zipfile.ZIP_DEFLATED) as z:
    for n in range(3):
        with z.open('f%d.txt' % n, 'w', force_zip64=True) as e: e.write(b'x' * 100000)
`;
  await run('python3', ['-c', script, file]);
  const job = await register(service, { path: file });
  expect(job).toMatchObject({ state: 'done', files_done: 3, bytes_done: 300_000 });
});

test('an archive of twenty thousand entries is registered', async () => {
  const file = await archive(
    buildZip(Array.from({ length: 20_000 }, (_unused, at) => ({ name: `f/${at}.txt`, data: '' }))),
  );
  expect((await asWindow(service, 'POST', '/api/v4/local/inspect', { path: file })).body).toMatchObject({
    file_count: 20_000,
    refusals: [],
  });
});
