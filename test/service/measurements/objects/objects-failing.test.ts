import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../object-storage/stand-in.ts';
import { verify } from './objects-suite.ts';
import { contents, names } from './objects-world.ts';
import { large, mebibyte, setUpColdWorld } from './cold-world.ts';

const cold = setUpColdWorld();
const { world, received } = cold;

/** Counters of the object storage by name and labels. */
async function storageNumbers(): Promise<ReadonlyMap<string, number>> {
  const headers = { authorization: `Bearer ${await world.service.token(cold.admin, ['read_api'])}` };
  const text = await (await fetch(`${world.service.url}/-/metrics`, { headers })).text();
  const lines = text.matchAll(/^benchport_object_storage_(\w+)\{(.*)\} (.+)$/gm);
  return new Map(
    [...lines].map(([, name = '', labels = '', value]) => [
      [name, ...[...labels.matchAll(/"([^"]*)"/g)].map(([, label]) => label)].join(' '),
      Number(value),
    ]),
  );
}

async function stateOf(id: string): Promise<unknown> {
  return (await world.get(`/api/v4/measurements/${id}`)).json();
}

/** Reads something else, so that nothing of the first measurement is in the cache. */
async function emptyCache(): Promise<void> {
  if (!world.standIn.objects.has('/bench/filler')) {
    world.standIn.objects.set('/bench/filler', Buffer.alloc(0));
    const { fault } = world.standIn;
    world.standIn.fault = () => null;
    await world.upload('filler', { 'f.bin': randomBytes(20 * mebibyte) });
    world.standIn.fault = fault;
  }
  const { fault } = world.standIn;
  world.standIn.fault = () => null;
  await received('/measurements/filler');
  world.standIn.fault = fault;
}

describe('a storage that fails', () => {
  test('by one flipped bit in its bucket never has a wrong byte sent', async () => {
    const file = contents['b/large.bin'] ?? Buffer.alloc(0);
    const begin = cold.archive.indexOf(file.subarray(0, 64));
    for (const at of [begin + 5, begin + 9 * mebibyte, cold.archive.length - 100]) {
      const damaged = Buffer.from(cold.archive);
      damaged[at] = (damaged[at] ?? 0) ^ 16;
      world.standIn.objects.set(cold.key, damaged);
      await emptyCache();
      expect(await received('/measurements/run-1')).toBe(null);
      const inFile = at < begin + file.length;
      const whole = await received(`/measurements/run-1/files/${large}`);
      expect(whole === null || whole.equals(file)).toBe(true);
      if (inFile) expect(whole).toBe(null);
      const range = await received('/measurements/run-1', `bytes=${at - 10}-${at + 10}`);
      expect(range).toBe(null);
    }
    world.standIn.objects.set(cold.key, cold.archive);
    expect(await verify(world, 'run-1')).toBe(`${names.length} of ${names.length} files are unchanged`);
  });

  test('by a flipped bit has the file named, until a verification finds it right', async () => {
    const damaged = Buffer.from(cold.archive);
    const begin = cold.archive.indexOf(contents['b/large.bin']?.subarray(0, 64) ?? '');
    damaged[begin + 9 * mebibyte] = (damaged[begin + 9 * mebibyte] ?? 0) ^ 16;
    world.standIn.objects.set(cold.key, damaged);
    await emptyCache();
    const refused = await world.get(`/measurements/run-1/files/${large}`, {
      range: `bytes=${9 * mebibyte}-${9 * mebibyte + 10}`,
    });
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { type: 'urn:benchport:problem:file-unreadable' },
    ]);
    expect(await stateOf('run-1')).toMatchObject({ state: 'degraded', problem_count: 1 });
    expect(await verify(world, 'run-1')).toContain('altered: b/large.bin');
    // Others in the same block are not served either, and a verification says so.
    const shared = Buffer.from(cold.archive);
    shared[begin + 5] = (shared[begin + 5] ?? 0) ^ 16;
    world.standIn.objects.set(cold.key, shared);
    await emptyCache();
    expect(await received('/measurements/run-1/files/0')).toBe(null);
    expect(await verify(world, 'run-1')).toMatch(/altered: b\/large.bin; unreadable: a\/notes.txt/);
    world.standIn.objects.set(cold.key, cold.archive);
    expect(await verify(world, 'run-1')).toBe(`${names.length} of ${names.length} files are unchanged`);
    expect(await stateOf('run-1')).toMatchObject({ state: 'available', problem_count: 0 });
  });

  test.each<Fault>(['flip', 'truncate', 'wrong-range', 'reset', 'whole', 'chunked', 503])(
    'by %s once in a while sends the right bytes all the same',
    async (fault) => {
      let count = 0;
      world.standIn.fault = (method) => (method === 'GET' && count++ % 3 === 0 ? fault : null);
      await emptyCache();
      expect((await received('/measurements/run-1'))?.equals(cold.archive)).toBe(true);
    },
  );

  test('by silence is said to be away, and the measurement stays as it is', async () => {
    world.standIn.fault = () => 503;
    await emptyCache();
    const answer = await world.get('/measurements/run-1');
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
      503,
      '5',
      { type: 'urn:benchport:problem:storage-unavailable' },
    ]);
    expect(await verify(world, 'run-1')).toMatch(/cannot answer now \(503, SlowDown\)/);
    expect(await stateOf('run-1')).toMatchObject({ state: 'available', problem_count: 0 });
    world.standIn.fault = () => null;
    expect((await received('/measurements/run-1'))?.equals(cold.archive)).toBe(true);
  });

  test('by hanging is said to be away to everybody within the time of one, and found again at once', async () => {
    world.standIn.fault = () => 'silent';
    await emptyCache();
    const began = performance.now();
    const ranges = Array.from({ length: 20 }, (_, at) => `bytes=${at * mebibyte}-${at * mebibyte + 10}`);
    const answers = await Promise.all([
      ...ranges.map((range) => world.get('/measurements/run-1', { range })),
      ...['0', '0,2', '1-'].map((list) => world.get(`/measurements/run-1/archive?files=${list}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    // Two times five seconds without a byte, and some; six reads one after the other would take a minute.
    expect(performance.now() - began).toBeLessThan(40_000);
    world.standIn.fault = () => null;
    expect((await received('/measurements/run-1'))?.equals(cold.archive)).toBe(true);
  }, 90_000);

  test('is counted by what failed, and so are operations and their bytes', async () => {
    await emptyCache();
    const before = await storageNumbers();
    expect((await received('/measurements/run-1'))?.equals(cold.archive)).toBe(true);
    world.standIn.fault = () => 403;
    await emptyCache();
    expect(await received('/measurements/run-1', 'bytes=0-9')).toBe(null);
    const blocks = Math.ceil(cold.archive.length / (4 * mebibyte));
    const after = await storageNumbers();
    const added = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    // Some twice, because the cache has room for two.
    expect(added('operations_total read done')).toBeGreaterThanOrEqual(blocks);
    expect(added('operations_total read denied')).toBe(1);
    expect(added('bytes_total read')).toBeGreaterThanOrEqual(cold.archive.length);
    expect(added('operation_seconds_total read')).toBeGreaterThan(0);
    expect(after.get('bytes_total put')).toBeGreaterThanOrEqual(cold.archive.length);
  });

  test('is asked once for a block that many want at once', async () => {
    await emptyCache();
    world.standIn.requests.length = 0;
    const all = await Promise.all(Array.from({ length: 50 }, () => received('/measurements/run-1', 'bytes=10-20')));
    expect(new Set(all.map((bytes) => bytes?.toString('hex')))).toEqual(
      new Set([cold.archive.toString('hex', 10, 21)]),
    );
    expect(world.standIn.requests).toHaveLength(1);
  });

  test('and twelve downloads at once with a cache of two blocks: all are right', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => received('/measurements/run-1')));
    expect(all.every((bytes) => bytes?.equals(cold.archive))).toBe(true);
  });
});
