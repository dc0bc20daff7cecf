import { crc32 } from 'node:zlib';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { expireUploads } from '../../../../src-main/service/measurements/uploads/expire-uploads.ts';
import { removeOldObjects } from '../../../../src-main/service/measurements/objects/remove-objects.ts';
import { startStandIn, type Fault, type StandIn } from '../../object-storage/stand-in.ts';
import { useWorld } from '../../use-service.ts';
import {
  begun,
  expectAvailable,
  mebibyte,
  partBytes,
  parts,
  startDirectWorld,
  stateOf,
  type DirectWorld,
} from './direct-world.ts';
import { manifestOf } from './manifest-support.ts';

const world = useWorld(async (): Promise<DirectWorld & { readonly standIn: StandIn }> => {
  const standIn = await startStandIn();
  const started = await startDirectWorld(standIn.settings);
  return {
    ...started,
    standIn,
    end: async () => {
      await started.end();
      await standIn.close();
    },
  };
});

afterEach(() => void (world.standIn.fault = () => null));

const left = (): readonly string[] => [
  ...[...world.standIn.objects.keys()].filter((key) => key.startsWith('/bench/uploads/')),
  ...world.standIn.uploads.keys(),
];
const isPart = (method: string, query: URLSearchParams): boolean => method === 'PUT' && query.has('partNumber');

/** Has a fault for some requests. @returns how many met it. */
function faulty(fault: Fault, concerns: (method: string, path: string, query: URLSearchParams) => boolean, times = 99) {
  let count = 0;
  world.standIn.fault = (method, path, query) => {
    if (count >= times || !concerns(method, path, query)) return null;
    count += 1;
    return fault;
  };
  return () => count;
}

describe('while the storage fails', () => {
  test.each<[string, Fault]>([
    ['says to come later', 503],
    ['resets connections', 'reset'],
    ['loses its answers', 'lost-answer'],
  ])('parts go on by themselves when it %s for a moment', async (what, fault) => {
    const id = `moment-${what.replaceAll(' ', '-')}`;
    const { body, archive } = manifestOf(id, parts);
    const address = await begun(world.client, body);
    const met = faulty(fault, (method, _path, query) => isPart(method, query), 2);
    expect((await world.client.patch(address, 0, archive)).status).toBe(204);
    expect(met()).toBe(2);
    await expectAvailable(world.client, id, archive, []);
    await expect.poll(left).toEqual([]);
  });

  test('an upload is refused with 503 and a time to come again, keeps its parts, and goes on', async () => {
    const { body, archive } = manifestOf('away', parts);
    const address = await begun(world.client, body);
    await world.client.patch(address, 0, archive.subarray(0, partBytes + 1000));
    faulty(503, (method) => method === 'PUT');
    const refused = await world.client.patch(address, partBytes + 1000, archive.subarray(partBytes + 1000));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(((await refused.json()) as { readonly type: string }).type).toContain('storage-away');
    expect(await world.client.offset(address)).toBe(partBytes + 1000);
    world.standIn.fault = () => null;
    expect((await world.client.patch(address, partBytes + 1000, archive.subarray(partBytes + 1000))).status).toBe(204);
    await expectAvailable(world.client, 'away', archive, parts);
    await expect.poll(left).toEqual([]);
  });

  test('no upload begins, and the same request begins it later', async () => {
    const { body, archive } = manifestOf('later', parts.slice(0, 1));
    faulty(503, (method) => method === 'PUT');
    expect((await world.client.create(body)).status).toBe(503);
    world.standIn.fault = () => null;
    const created = await world.client.create(body);
    expect(created.status).toBe(200);
    expect((await world.client.patch(world.client.addressIn(created), 0, archive)).status).toBe(204);
    await expectAvailable(world.client, 'later', archive, []);
  });

  test('what has come waits for it, and is registered', async () => {
    const { body, archive } = manifestOf('waits', parts);
    const address = await begun(world.client, body);
    const met = faulty(503, (method, path) => (method === 'HEAD' || method === 'POST') && path.endsWith('.zip'), 12);
    // The upload in parts begins before.
    world.standIn.fault = (
      (fault) => (method, path, query) =>
        query.has('uploads') ? null : fault(method, path, query)
    )(world.standIn.fault);
    expect((await world.client.patch(address, 0, archive)).status).toBe(204);
    await expectAvailable(world.client, 'waits', archive, []);
    expect(met()).toBe(12);
  });

  test('a slow one slows the client down, and nothing is lost', async () => {
    const { body, archive } = manifestOf('slow', parts);
    const address = await begun(world.client, body);
    const met = faulty('slow', (method, _path, query) => isPart(method, query));
    expect((await world.client.patch(address, 0, archive)).status).toBe(204);
    expect(met()).toBe(Math.ceil(archive.length / partBytes));
    await expectAvailable(world.client, 'slow', archive, []);
  });

  test('a bit that flips while it is read back is read again', async () => {
    const { body, archive } = manifestOf('flips', parts);
    const address = await begun(world.client, body);
    const met = faulty('flip', (method, path) => method === 'GET' && path.endsWith('.zip'), 1);
    expect((await world.client.patch(address, 0, archive)).status).toBe(204);
    await expectAvailable(world.client, 'flips', archive, parts);
    expect(met()).toBe(1);
  });
});

describe('what the storage has lost', () => {
  test('parts that somebody ended: the upload ends with 410, and begins anew', async () => {
    const { body, archive } = manifestOf('lost', parts);
    const address = await begun(world.client, body);
    await world.client.patch(address, 0, archive.subarray(0, partBytes + 5));
    world.standIn.uploads.clear();
    expect((await world.client.patch(address, partBytes + 5, archive.subarray(partBytes + 5))).status).toBe(410);
    const again = await world.client.create(body);
    expect(again.status).toBe(201);
    expect((await world.client.patch(world.client.addressIn(again), 0, archive)).status).toBe(204);
    await expectAvailable(world.client, 'lost', archive, []);
    await expect.poll(left).toEqual([]);
  });
});

/** Two bytes strings of one length with one CRC-32: a difference that is a multiple of its polynomial. */
function sameCrc(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  // x^32 + x^26 + ... + 1, from its highest power on, 33 bits from the lowest bit of a byte on.
  const polynomial = [1, ...Array.from({ length: 32 }, (_, bit) => Number((0xedb88320n >> BigInt(bit)) & 1n))];
  for (const [bit, value] of polynomial.entries()) {
    const index = at + (bit >> 3);
    copy.writeUInt8(copy.readUInt8(index) ^ (value << (bit & 7)), index);
  }
  return copy;
}

test('other bytes with the same CRC-32, across a kill that forgot the SHA-256: nothing becomes available', async () => {
  const bytes = randomBytes(2 * partBytes + 5 * mebibyte);
  const other = sameCrc(bytes, 1000);
  expect([crc32(other), other.equals(bytes)]).toEqual([crc32(bytes), false]);
  expect(createHash('sha256').update(other).digest()).not.toEqual(createHash('sha256').update(bytes).digest());
  const { body, archive } = manifestOf('forged', [{ path: 'a.bin', bytes }]);
  const forged = Buffer.from(archive);
  other.copy(forged, 44);
  const address = await begun(world.client, body);
  const from = partBytes + 10;
  await world.client.patch(address, 0, forged.subarray(0, from));
  // Seventeen others are kept in its place, as a kill would forget it.
  for (let at = 0; at < 17; at += 1) {
    const small = manifestOf(`filler-${at}`, [{ path: 'a.bin', bytes: randomBytes(1000) }]);
    const one = await begun(world.client, small.body);
    await world.client.patch(one, 0, small.archive.subarray(0, 500));
    await fetch(one, { method: 'DELETE', headers: world.client.headers }).catch(() => undefined);
  }
  const sent = await world.client.patch(address, from, forged.subarray(from));
  expect([204, 422]).toContain(sent.status);
  await expect.poll(async () => (await stateOf(world.client, address)).state, { timeout: 60_000 }).toBe('failed');
  expect((await stateOf(world.client, address)).problem).toContain('a.bin came with other bytes');
  expect((await world.client.fetched('/measurements/forged')).status).toBe(404);
  await expect.poll(left).toEqual([]);
});

test('an upload that nobody goes on with is removed after a week, with its parts, also when the storage is away then', async () => {
  const { body, archive } = manifestOf('old', parts);
  const address = await begun(world.client, body);
  await world.client.patch(address, 0, archive.subarray(0, partBytes + 1000));
  const { services } = world.service;
  const later = Date.now() + 8 * 86_400_000;
  // The upkeep of objects leaves the parts of an upload alone that goes on, however long it takes.
  await removeOldObjects(services, later, new AbortController().signal);
  expect(world.standIn.uploads.size).toBe(1);
  faulty(503, (method) => method === 'DELETE');
  await expireUploads(services, later);
  expect((await stateOf(world.client, address)).state).toBe('receiving');
  world.standIn.fault = () => null;
  await expireUploads(services, later);
  expect((await world.client.fetched(new URL(address).pathname)).status).toBe(404);
  expect(left()).toEqual([]);
});

test('what is there of uploads that nobody knows is removed eight days after its last byte', async () => {
  const { services } = world.service;
  const { objects } = world.standIn;
  const { body, archive } = manifestOf('known', parts);
  const address = await begun(world.client, body);
  await world.client.patch(address, 0, archive.subarray(0, 1000));
  const known = left();
  const day = 86_400_000;
  const [lost, late] = ['0'.repeat(32), 'f'.repeat(32)];
  for (const name of ['manifest.ndjson', 'tail-0']) objects.set(`/bench/uploads/${lost}/${name}`, Buffer.from(name));
  for (const name of ['body-1', 'body-2']) objects.set(`/bench/uploads/${late}/${name}`, Buffer.from(name));
  world.standIn.modified = (key) => {
    const age = key.endsWith('body-2') ? 7 * day : 9 * day;
    return new Date(Date.now() - age).toISOString();
  };
  try {
    await expireUploads(services);
    expect(left().toSorted()).toEqual(
      [...known, `/bench/uploads/${late}/body-1`, `/bench/uploads/${late}/body-2`].toSorted(),
    );
    world.standIn.modified = () => 'unknown';
    await expireUploads(services, Date.now() + 3 * day);
    expect(left()).toHaveLength(known.length + 2);
    world.standIn.modified = () => new Date(Date.now() - 7 * day).toISOString();
    await expireUploads(services, Date.now() + 2 * day);
    expect(left()).toEqual(known);
  } finally {
    world.standIn.modified = () => new Date().toISOString();
  }
});
