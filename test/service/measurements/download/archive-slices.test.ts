import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';

let service: TestService;
let headers: { authorization: string };
let whole: Buffer;

beforeAll(async () => {
  service = await startTestService();
  const alice = await service.user('alice');
  headers = { authorization: `Bearer ${await service.token(alice)}` };
  // Members of every kind: empty, small, one larger than both buffers, and more of them than a page of rows.
  const files = Array.from({ length: 600 }, (_, i) => ({ path: `many/f${i}`, bytes: Buffer.alloc(i % 97, i & 0xff) }));
  await addMeasurement(service, alice, 'm', [
    ...files,
    { path: 'a-big', bytes: Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i * 31 + (i >> 7)) & 0xff)) },
    { path: 'z-\u00fcber', bytes: Buffer.alloc(70_000, 9) },
    { path: 'empty', bytes: '' },
  ]);
  whole = await fetchBytes();
});
afterAll(() => service.end());

async function fetchBytes(range?: string): Promise<Buffer> {
  const response = await fetch(`${service.url}/measurements/m`, {
    headers: { ...headers, ...(range === undefined ? {} : { range }) },
  });
  expect(response.status).toBe(range === undefined ? 200 : 206);
  return Buffer.from(await response.arrayBuffer());
}

test('any slice of the archive is the slice of the whole', async () => {
  const position = fc.oneof(
    fc.nat(whole.length - 1),
    fc.integer({ min: 599_000, max: whole.length - 1 }),
    fc.integer({ min: whole.length - 40_000, max: whole.length - 1 }),
  );
  await fc.assert(
    fc.asyncProperty(position, fc.oneof(fc.nat(300), fc.nat(400_000)), async (start, length) => {
      const end = Math.min(start + length, whole.length - 1);
      expect((await fetchBytes(`bytes=${start}-${end}`)).equals(whole.subarray(start, end + 1))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('every cut at a border of a header, a member, the directory or the end continues exactly', async () => {
  const directory = whole.readUInt32LE(whole.length - 6);
  const first = whole.indexOf(Buffer.from('many/f0'));
  const cuts = [
    1,
    29,
    30,
    35,
    44,
    45,
    600_043,
    600_044,
    600_045,
    first - 30,
    first,
    directory - 1,
    directory,
    directory + 1,
    directory + 46,
    whole.length - 22,
    whole.length - 21,
    whole.length - 1,
  ];
  for (const cut of cuts) expect((await fetchBytes(`bytes=${cut}-`)).equals(whole.subarray(cut))).toBe(true);
});
