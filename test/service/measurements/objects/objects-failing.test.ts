import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useWorld } from '../../use-service.ts';
import { startStandIn, type Fault, type StandIn } from '../../object-storage/stand-in.ts';
import { verify } from './objects-suite.ts';
import { bytesOf, contents, names, startObjectsWorld, type ObjectsWorld } from './objects-world.ts';

const mebibyte = 1024 * 1024;

interface World extends ObjectsWorld {
  readonly standIn: StandIn;
}

/** A service whose cache is smaller than a measurement. */
async function startCold(): Promise<World> {
  const standIn = await startStandIn();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-cache-'));
  const world = await startObjectsWorld(standIn.settings, { blockCache: { folder, maxBytes: 8 * mebibyte } });
  return {
    ...world,
    standIn,
    end: async () => {
      await world.end();
      await standIn.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe('a storage that fails', () => {
  const world = useWorld(startCold);
  const large = names.indexOf('b/large.bin');
  let archive: Buffer = Buffer.alloc(0);
  let key = '';
  let admin = 0;
  beforeAll(async () => {
    admin = await world.service.user('root', true);
    await world.upload('run-1');
    archive = await bytesOf(await world.get('/measurements/run-1'));
    key = [...world.standIn.objects.keys()].find((name) => name.endsWith('.zip')) ?? '';
  });
  beforeEach(() => {
    world.standIn.fault = () => null;
    world.standIn.objects.set(key, archive);
  });

  /** @returns the bytes received with a status of success, null for an error or a broken connection. */
  async function received(url: string, range?: string): Promise<Buffer | null> {
    try {
      const answer = await world.get(url, range === undefined ? {} : { range });
      const bytes = await bytesOf(answer);
      return answer.ok ? bytes : null;
    } catch {
      return null;
    }
  }

  /** Counters of the object storage by name and labels. */
  async function storageNumbers(): Promise<ReadonlyMap<string, number>> {
    const headers = { authorization: `Bearer ${await world.service.token(admin, ['read_api'])}` };
    const text = await (await fetch(`${world.service.url}/-/metrics`, { headers })).text();
    const lines = text.matchAll(/^benchport_object_storage_(\w+)\{(.*)\} (.+)$/gm);
    return new Map(
      [...lines].map(([, name = '', labels = '', value]) => [
        [name, ...[...labels.matchAll(/"([^"]*)"/g)].map(([, label]) => label)].join(' '),
        Number(value),
      ]),
    );
  }

  test('by one flipped bit in its bucket never has a wrong byte sent', async () => {
    const file = contents['b/large.bin'] ?? Buffer.alloc(0);
    const begin = archive.indexOf(file.subarray(0, 64));
    for (const at of [begin + 5, begin + 9 * mebibyte, archive.length - 100]) {
      const damaged = Buffer.from(archive);
      damaged[at] = (damaged[at] ?? 0) ^ 16;
      world.standIn.objects.set(key, damaged);
      await emptyCache();
      expect(await received('/measurements/run-1')).toBe(null);
      const inFile = at < begin + file.length;
      const whole = await received(`/measurements/run-1/files/${large}`);
      expect(whole === null || whole.equals(file)).toBe(true);
      if (inFile) expect(whole).toBe(null);
      const range = await received('/measurements/run-1', `bytes=${at - 10}-${at + 10}`);
      expect(range).toBe(null);
    }
    world.standIn.objects.set(key, archive);
    expect(await verify(world, 'run-1')).toBe(`${names.length} of ${names.length} files are unchanged`);
  });

  test('by a flipped bit has the file named, until a verification finds it right', async () => {
    const damaged = Buffer.from(archive);
    const begin = archive.indexOf(contents['b/large.bin']?.subarray(0, 64) ?? '');
    damaged[begin + 9 * mebibyte] = (damaged[begin + 9 * mebibyte] ?? 0) ^ 16;
    world.standIn.objects.set(key, damaged);
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
    const shared = Buffer.from(archive);
    shared[begin + 5] = (shared[begin + 5] ?? 0) ^ 16;
    world.standIn.objects.set(key, shared);
    await emptyCache();
    expect(await received('/measurements/run-1/files/0')).toBe(null);
    expect(await verify(world, 'run-1')).toMatch(/altered: b\/large.bin; unreadable: a\/notes.txt/);
    world.standIn.objects.set(key, archive);
    expect(await verify(world, 'run-1')).toBe(`${names.length} of ${names.length} files are unchanged`);
    expect(await stateOf('run-1')).toMatchObject({ state: 'available', problem_count: 0 });
  });

  test.each<Fault>(['flip', 'truncate', 'wrong-range', 'reset', 'whole', 'chunked', 503])(
    'by %s once in a while sends the right bytes all the same',
    async (fault) => {
      let count = 0;
      world.standIn.fault = (method) => (method === 'GET' && count++ % 3 === 0 ? fault : null);
      await emptyCache();
      expect((await received('/measurements/run-1'))?.equals(archive)).toBe(true);
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
    expect((await received('/measurements/run-1'))?.equals(archive)).toBe(true);
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
    expect((await received('/measurements/run-1'))?.equals(archive)).toBe(true);
  }, 90_000);

  test('is counted by what failed, and so are operations and their bytes', async () => {
    await emptyCache();
    const before = await storageNumbers();
    expect((await received('/measurements/run-1'))?.equals(archive)).toBe(true);
    world.standIn.fault = () => 403;
    await emptyCache();
    expect(await received('/measurements/run-1', 'bytes=0-9')).toBe(null);
    const blocks = Math.ceil(archive.length / (4 * mebibyte));
    const after = await storageNumbers();
    const added = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    // Some twice, because the cache has room for two.
    expect(added('operations_total read done')).toBeGreaterThanOrEqual(blocks);
    expect(added('operations_total read denied')).toBe(1);
    expect(added('bytes_total read')).toBeGreaterThanOrEqual(archive.length);
    expect(added('operation_seconds_total read')).toBeGreaterThan(0);
    expect(after.get('bytes_total put')).toBeGreaterThanOrEqual(archive.length);
  });

  test('while an upload is stored, holds it back and loses nothing', async () => {
    let failures = 12;
    world.standIn.fault = (method) => (method === 'PUT' && failures-- > 0 ? 503 : null);
    expect((await world.upload('later', { 'x.txt': Buffer.from('x') })).status).toBe(201);
    expect(failures).toBeLessThanOrEqual(0);
    expect((await received('/measurements/later/files/0'))?.toString()).toBe('x');
  }, 60_000);

  /** How often each part of an archive is sent from now on. */
  function watchParts(fault: (method: string, path: string, query: URLSearchParams) => Fault | null): number[] {
    const sent: number[] = [];
    world.standIn.fault = (method, asked, query) => {
      const part = Number(query.get('partNumber') ?? 0);
      if (method === 'PUT' && part > 0) sent[part - 1] = (sent[part - 1] ?? 0) + 1;
      return fault(method, asked, query);
    };
    return sent;
  }

  test('in the midst of an archive goes on with the parts that it has', async () => {
    let failures = 7;
    const sent = watchParts((_method, _path, query) =>
      query.get('partNumber') === '2' && failures-- > 0 ? 503 : null,
    );
    expect((await world.upload('parts')).status).toBe(201);
    expect(sent).toEqual([1, 8]);
    expect(world.standIn.uploads.size).toBe(0);
    expect((await received(`/measurements/parts/files/${large}`))?.equals(contents['b/large.bin'] ?? archive)).toBe(
      true,
    );
  }, 60_000);

  test.each([false, true])(
    'after an archive was complete does not get it again (damaged meanwhile: %s)',
    async (damaged) => {
      const known = new Set(world.standIn.objects.keys());
      let failures = 5;
      const sent = watchParts((method, asked) => {
        const object = world.standIn.objects.get(asked);
        if (method !== 'HEAD' || known.has(asked) || !object?.length || failures <= 0) return null;
        failures -= 1;
        if (damaged && failures === 0) object[9 * mebibyte] = (object[9 * mebibyte] ?? 0) ^ 1;
        return 503;
      });
      const id = damaged ? 'complete-damaged' : 'complete';
      expect((await world.upload(id)).status).toBe(201);
      expect(sent).toEqual(damaged ? [2, 2] : [1, 1]);
      expect((await received(`/measurements/${id}/files/${large}`))?.equals(contents['b/large.bin'] ?? archive)).toBe(
        true,
      );
    },
    60_000,
  );

  test('for good has no parts left of a registration that is given up', async () => {
    watchParts((_method, _path, query) => (query.get('partNumber') === '2' ? 403 : null));
    expect((await world.upload('given-up')).status).toBe(422);
    expect(world.standIn.uploads.size).toBe(0);
  });

  test('by returning other bytes than it was sent has them put again', async () => {
    let flips = 1;
    world.standIn.fault = (method) => (method === 'GET' && flips-- > 0 ? 'flip' : null);
    expect((await world.upload('flipped', { 'x.txt': Buffer.from('x') })).status).toBe(201);
    expect((await received('/measurements/flipped/files/0'))?.toString()).toBe('x');
    world.standIn.fault = (method) => (method === 'GET' ? 'flip' : null);
    expect((await world.upload('never', { 'x.txt': Buffer.from('x') })).status).toBe(422);
    expect((await world.get('/measurements/never/files')).status).toBe(404);
  }, 60_000);

  test('and refuses the access key has a registration refused', async () => {
    world.standIn.fault = (method) => (method === 'PUT' ? 403 : null);
    const answer = await world.upload('refused', { 'x.txt': Buffer.from('x') });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(await answer.json())).not.toContain(world.standIn.settings.secretAccessKey);
    expect((await world.get('/measurements/refused/files')).status).toBe(404);
  });

  test('is asked once for a block that many want at once', async () => {
    await emptyCache();
    world.standIn.requests.length = 0;
    const all = await Promise.all(Array.from({ length: 50 }, () => received('/measurements/run-1', 'bytes=10-20')));
    expect(new Set(all.map((bytes) => bytes?.toString('hex')))).toEqual(new Set([archive.toString('hex', 10, 21)]));
    expect(world.standIn.requests).toHaveLength(1);
  });

  test('and twelve downloads at once with a cache of two blocks: all are right', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => received('/measurements/run-1')));
    expect(all.every((bytes) => bytes?.equals(archive))).toBe(true);
  });

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
});
