import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newVerification, verifyWork } from '../../../../src-main/service/measurements/verification/verify.ts';
import { thisProcess } from '../../../../src-main/service/jobs/job-process.ts';
import { startJob } from '../../../../src-main/service/jobs/run-job.ts';
import { removeOldObjects } from '../../../../src-main/service/measurements/objects/remove-objects.ts';
import { purgeRemoved } from '../../../../src-main/service/measurements/removed/purge-removed.ts';
import { bytesOf, contents, names, type ObjectsWorld } from './objects-world.ts';
import { zipOf } from '../selection/zip-reference.ts';
import { mustRun } from '../../run-program.ts';
import { writeFile } from 'node:fs/promises';

const blockBytes = 4 * 1024 * 1024;
const { signal } = new AbortController();

/** Tests that every object storage has to pass. @param keys lists the keys in the bucket. */
export function describeObjects(world: ObjectsWorld, keys: () => Promise<readonly string[]>): void {
  test('an upload becomes one object with its description beside it, and nothing is left in the library', async () => {
    expect((await world.upload('run-1')).status).toBe(201);
    const [archive, description, ...more] = (await keys()).toSorted().toReversed();
    expect([archive, description, more]).toMatchObject([
      expect.stringMatching(/^measurements\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.zip$/),
      expect.stringMatching(/\.json$/),
      [],
    ]);
    const { library } = world.service.services.paths;
    expect(
      (await readdir(library, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
    ).toEqual([]);
    const { state, storage } = (await (await world.get('/api/v4/measurements/run-1')).json()) as Record<
      string,
      unknown
    >;
    expect({ state, storage }).toEqual({ state: 'available', storage: 'object_storage' });
  });

  test('every file is sent with its bytes and digest', async () => {
    const manifest = (await (await world.get('/measurements/run-1/files')).json()) as {
      files: { path: string; sha256: string }[];
    };
    expect(manifest.files.map((file) => file.path)).toEqual(names);
    for (const [index, name] of names.entries()) {
      const answer = await world.get(`/measurements/run-1/files/${index}`);
      expect([answer.status, (await bytesOf(answer)).equals(contents[name] ?? Buffer.alloc(0))]).toEqual([200, true]);
      const digest = createHash('sha256')
        .update(contents[name] ?? '')
        .digest('hex');
      expect(manifest.files[index]?.sha256).toBe(digest);
    }
  });

  test('the archive opens with unzip, and its ranges fit together', async () => {
    const answer = await world.get('/measurements/run-1');
    const whole = await bytesOf(answer);
    const file = path.join(world.service.dir, 'run-1.zip');
    await writeFile(file, whole);
    expect(await mustRun('unzip', ['-tq', file])).toContain('No errors');
    const etag = answer.headers.get('etag') ?? '';
    for (const [from, to] of [
      [0, 1],
      [blockBytes - 1, blockBytes + 1],
      [100, 9 * 1024 * 1024],
      [whole.length - 30_000, whole.length],
    ] as const) {
      const part = await world.get('/measurements/run-1', { range: `bytes=${from}-${to - 1}`, 'if-range': etag });
      expect(part.status).toBe(206);
      expect((await bytesOf(part)).equals(whole.subarray(from, to))).toBe(true);
    }
    const parts = await world.get('/measurements/run-1', { range: 'bytes=0-9,4194300-4194310' });
    expect([parts.status, parts.headers.get('content-type')]).toMatchObject([
      206,
      expect.stringContaining('multipart/byteranges'),
    ]);
    await bytesOf(parts);
  });

  test('some files as one ZIP are parts of the object, and any range of them fits', async () => {
    const { files } = (await (await world.get('/measurements/run-1/files')).json()) as {
      files: { path: string; registrationTime: string }[];
    };
    const last = names.length - 1;
    for (const [list, chosen] of [
      [`0,2-4,30-,9`, names.filter((_, index) => [0, 2, 3, 4, 9].includes(index) || index >= 30)],
      [`${last},1`, [names[1], names[last]]],
      ['2', [names[2]]],
    ] as const) {
      const expected = zipOf(
        files
          .filter(({ path: name }) => chosen.includes(name))
          .map(({ path: name, registrationTime }) => ({
            path: name,
            bytes: contents[name] ?? Buffer.alloc(0),
            registeredAt: Date.parse(registrationTime),
          })),
      );
      const url = `/measurements/run-1/archive?files=${list}`;
      expect((await bytesOf(await world.get(url))).equals(expected)).toBe(true);
      for (const from of [0, 40, Math.min(blockBytes, expected.length - 200), expected.length - 150]) {
        const part = await world.get(url, { range: `bytes=${from}-${from + 149}` });
        expect([part.status, (await bytesOf(part)).equals(expected.subarray(from, from + 150))]).toEqual([206, true]);
      }
    }
  });

  test('ranges of a file, conditions and HEAD are as for a folder', async () => {
    const index = names.indexOf('b/large.bin');
    const url = `/measurements/run-1/files/${index}`;
    const large = contents['b/large.bin'] ?? Buffer.alloc(0);
    const answer = await world.get(url, { range: 'bytes=4194300-8388700' });
    expect([answer.status, (await bytesOf(answer)).equals(large.subarray(4194300, 8388701))]).toEqual([206, true]);
    const suffix = await world.get(url, { range: 'bytes=-7' });
    expect((await bytesOf(suffix)).equals(large.subarray(-7))).toBe(true);
    expect((await world.get(url, { range: `bytes=${large.length}-` })).status).toBe(416);
    expect((await world.get(url, { 'if-none-match': answer.headers.get('etag') ?? '' })).status).toBe(304);
    expect((await world.get(`/measurements/run-1/files/${names.length}`)).status).toBe(404);
  });

  test('a verification reads everything from the storage', async () => {
    expect(await verify(world, 'run-1')).toBe(`${names.length} of ${names.length} files are unchanged`);
  });

  test('a measurement that is removed for good leaves its object for the grace period, and then nothing', async () => {
    await world.upload('run-2', { 'x.txt': Buffer.from('x') });
    const before = await keys();
    expect(before).toHaveLength(4);
    const removed = await fetch(`${world.service.url}/api/v4/measurements/run-2`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${world.token}` },
    });
    expect(removed.status).toBe(204);
    // The mark of the removal is beside its archive.
    expect(await keys()).toHaveLength(5);
    const { services } = world.service;
    const { rows } = await services.removed.list({ ownerId: null, measurementId: 'run-2', limit: 2, offset: 0 });
    for (const row of rows) await purgeRemoved(services, row);
    expect(await keys()).toHaveLength(5);
    expect(
      await removeOldObjects(
        world.service.services,
        Date.now() - 1000 - (world.service.services.config.objectStorage?.graceMs ?? 0),
        signal,
      ),
    ).toBe(0);
    const later = Date.now() + (world.service.services.config.objectStorage?.graceMs ?? 0) + 1000;
    expect(await removeOldObjects(world.service.services, later, signal)).toBe(1);
    expect(await keys()).toHaveLength(2);
    expect((await world.get('/measurements/run-1/files/0')).status).toBe(200);
  });
}

/** Verifies a measurement in the running service. @returns what its job said at the end. */
export async function verify({ service }: Pick<ObjectsWorld, 'service'>, id: string): Promise<string> {
  const { jobs } = service.services;
  const job = await jobs.create(newVerification(id, null));
  const started = await jobs.start(job.id, thisProcess());
  if (!started) throw new Error('the job was taken by somebody else');
  await startJob(service.services, started, verifyWork, () => {}).ended;
  return (await jobs.byId(job.id))?.message ?? '';
}
