import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { buildZip, withStatedCount, type BuiltEntry } from '../../measurements/registration/zip-builder.ts';
import type { Fault } from '../../object-storage/stand-in.ts';
import { useWorld } from '../../use-service.ts';
import { BodyClient, bodyFiles, expectNothingLeft, startBodiesWorld } from './bodies-world.ts';

const world = useWorld(startBodiesWorld);
const client = (): BodyClient => new BodyClient(world.token);
const zip = buildZip(Object.entries(bodyFiles).map(([name, data]) => ({ name, data, deflate: name.endsWith('.csv') })));

afterEach(() => void (world.standIn.fault = () => null));

/** Has a fault for some requests. @returns how many met it. */
function faulty(fault: Fault, concerns: (method: string, path: string) => boolean, times: number): () => number {
  let count = 0;
  world.standIn.fault = (method, path) => {
    if (count >= times || !concerns(method, path)) return null;
    count += 1;
    return fault;
  };
  return () => count;
}

const isBody = (path: string): boolean => /\/uploads\/\w+\/body-/.test(path);
const readsBody = (method: string, path: string): boolean => method === 'GET' && isBody(path);
const stored = (): number => [...world.standIn.objects.keys()].filter((key) => key.includes('/measurements/')).length;

describe('an archive that cannot be a measurement is refused in plain words, and leaves nothing', () => {
  const one = (entry: BuiltEntry): Buffer => buildZip([{ name: 'a.txt', data: 'a' }, entry]);
  test.each<[string, Buffer, RegExp]>([
    ['no archive', Buffer.from('%PDF-1.7\n'.repeat(100)), /not a ZIP archive/],
    ['nothing', Buffer.alloc(0), /not a ZIP archive/],
    ['a cut one', zip.subarray(0, zip.length - 30), /not a ZIP archive/],
    ['too many entries', withStatedCount(one({ name: 'b.txt' }), 10_000_000), /10.000.000 entries/],
    [
      'more than a hundred times its length',
      buildZip(
        Array.from({ length: 120 }, (_, at) => ({ name: `${at}.bin`, data: 'x', deflate: true, size: 99_000_000 })),
      ),
      /more than 100 times its length/,
    ],
    ['a path that leads out', one({ name: '../../b.txt', data: 'b' }), /lead out of the folder/],
    ['a name twice', one({ name: 'a.txt', data: 'b' }), /there twice/],
    ['a name that differs by case', one({ name: 'A.txt', data: 'b' }), /only by case/],
    ['a wrong checksum', one({ name: 'b.txt', data: 'b', crc: 1 }), /b\.txt: its CRC-32 is not the one/],
    ['damaged data', one({ name: 'b.txt', data: 'b'.repeat(999), deflate: true, packed: randomBytes(99) }), /b\.txt: /],
    [
      'more than it declares',
      one({ name: 'b.txt', data: 'b'.repeat(9), deflate: true, size: 3 }),
      /more than the 3 bytes/,
    ],
    ['an entry within another', one({ name: 'b.txt', data: 'b', offset: 3 }), /overlap/],
  ])('%s', async (what, body, reason) => {
    const id = `refused-${what.replaceAll(' ', '-')}`;
    expect(await client().put(world.first, id, body)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(reason) as unknown,
    });
    expect((await client().fetched(`${world.second.url}/measurements/${id}`)).status).toBe(404);
    expect(stored()).toBe(0);
    await expectNothingLeft(world);
  });

  test('one that unpacks to more than the quota', async () => {
    const { quotas } = world.first.services;
    await quotas.setOfUser(world.alice, 1_000_000);
    try {
      const body = buildZip([{ name: 'zeros.bin', data: Buffer.alloc(2_000_000), deflate: true }]);
      expect(await client().put(world.first, 'over-quota', body)).toMatchObject({
        state: 'failed',
        problem: expect.stringContaining('quota') as unknown,
      });
    } finally {
      await quotas.setOfUser(world.alice, null);
    }
    await expectNothingLeft(world);
  });
});

describe('while the storage fails', () => {
  test('what it takes again is right, and the client goes on with what it lacks', async () => {
    const address = await client().create(world.first, 'away', 'run.zip', zip.length);
    const first = zip.subarray(0, 9_000_000);
    expect((await client().patch(world.first, address, 0, first)).status).toBe(204);
    faulty(403, (method, path) => method === 'PUT' && isBody(path), Infinity);
    const refused = await client().patch(world.first, address, first.length, zip.subarray(first.length));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    world.standIn.fault = () => null;
    expect(await client().offset(world.second, address)).toBe(first.length);
    expect((await client().patch(world.second, address, first.length, zip.subarray(first.length))).status).toBe(204);
    await client().expectFiles(world.first, 'away', bodyFiles);
  });

  test.each<[string, Fault, number]>([
    ['flips a bit once', 'flip', 1],
    ['cuts an answer', 'truncate', 1],
    ['resets a connection', 'reset', 1],
    ['is away for a moment', 503, 12],
  ])('what is read is right when it %s', async (what, fault, times) => {
    const id = what.replaceAll(' ', '-');
    const met = faulty(fault, readsBody, times);
    expect(await client().put(world.first, id, zip)).toMatchObject({ state: 'available' });
    await client().expectFiles(world.second, id, bodyFiles);
    expect(met()).toBe(times);
    await expectNothingLeft(world);
  });

  test('wrong bytes that stay are never registered', async () => {
    const before = stored();
    faulty('flip', readsBody, Infinity);
    expect(await client().put(world.first, 'rotten', zip)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('other bytes than it was sent') as unknown,
    });
    expect(stored()).toBe(before);
    world.standIn.fault = () => null;
    await expectNothingLeft(world);
  });
});

test.each<[string, Fault]>([
  ['answers slowly', 'slow'],
  ['does not answer', 'silent'],
])('a registration is cancelled while the storage %s, and leaves nothing', async (what, fault) => {
  const id = `cancelled-${what.replaceAll(' ', '-')}`;
  const before = stored();
  const met = faulty(fault, readsBody, Infinity);
  const address = await client().create(world.first, id, 'run.zip', zip.length);
  expect((await client().patch(world.first, address, 0, zip)).status).toBe(204);
  await expect.poll(met, { timeout: 20_000 }).toBeGreaterThan(0);
  const [job] = await world.first.services.jobs.ofMeasurement(id);
  const cancelled = await client().fetched(`${world.first.url}/api/v4/jobs/${job?.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'cancel' }),
  });
  expect(cancelled.status).toBe(200);
  await expectNothingLeft(world);
  expect(stored()).toBe(before);
  world.standIn.fault = () => null;
  expect(await client().put(world.second, id, zip)).toMatchObject({ state: 'available' });
  await client().expectFiles(world.first, id, bodyFiles);
});

test('a replica that is killed while it unpacks loses nothing: another one does it', async () => {
  const third = await world.replicas.spawn({ objectStorage: world.standIn.settings });
  const before = stored();
  let reads = 0;
  const kills: Promise<void>[] = [];
  // Only the replica of the upload runs its registration at first.
  world.standIn.fault = (method, path) => {
    if (!readsBody(method, path)) return null;
    reads += 1;
    if (reads === 3) kills.push(third.signal('SIGKILL'));
    return null;
  };
  const address = await client().create(world.first, 'killed', 'run.zip', zip.length);
  await fetch(`${third.url}${address}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${world.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(zip),
  }).catch(() => null);
  await expect.poll(() => kills.length, { timeout: 30_000 }).toBe(1);
  await Promise.all(kills);
  await client().expectFiles(world.second, 'killed', bodyFiles);
  expect(stored()).toBe(before + 2);
  await expectNothingLeft(world);
});
