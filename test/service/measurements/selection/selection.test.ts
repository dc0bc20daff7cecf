import fc from 'fast-check';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { mustRun } from '../../run-program.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { zipOf, type ReferenceFile } from './zip-reference.ts';

const service = useTestService();
const alice = useUser(service, 'alice', { scopes: ['read_measurement'] });
const bob = useUser(service, 'bob');
const registeredAt = Date.UTC(2026, 8, 1, 10, 20, 31, 123);
const count = 302;
const files: readonly ReferenceFile[] = [
  { path: 'a-big', bytes: Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i * 31 + (i >> 7)) & 0xff)) },
  ...Array.from({ length: 299 }, (_, i) => ({
    path: `many/f${String(i).padStart(3, '0')}`,
    bytes: Buffer.alloc(i % 97, i & 0xff),
  })),
  { path: 'z-empty', bytes: Buffer.alloc(0) },
  { path: 'z-\u00fcber', bytes: Buffer.alloc(70_000, 9) },
].map((file) => ({ ...file, registeredAt }));
const base = '/measurements/m';

beforeAll(async () => {
  await addMeasurement(service, alice.id, 'm', files, registeredAt);
  await addMeasurement(service, alice.id, 'nothing', []);
});

const zip = (list: string) => `${base}/archive?files=${list}`;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const chosen = (indexes: readonly number[]) => zipOf(files.filter((_, index) => indexes.includes(index)));
const head = (url: string, headers: Record<string, string> = {}) =>
  fetch(service.url + url, { method: 'HEAD', headers: { authorization: `Bearer ${alice.token}`, ...headers } });

describe('some files as one ZIP', () => {
  const indexes = [0, 2, 3, 4, 150, 300, 301];
  const list = '300-,2-4,0,150,3';

  test('are the bytes of an archive of these files alone, which other programs read', async () => {
    const response = await alice.get(zip(list));
    expect(response.status).toBe(200);
    const body = await bytesOf(response);
    expect(body.equals(chosen(indexes))).toBe(true);
    const file = path.join(service.dir, 'some.zip');
    await writeFile(file, body);
    expect(await mustRun('unzip', ['-tq', file])).toContain('No errors');
    const script =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("\\n".join(z.namelist()))';
    expect((await mustRun('python3', ['-c', script, file])).trim().split('\n')).toEqual(
      indexes.map((index) => files[index]?.path),
    );
  });

  test('have the head of the archive of all files, with a name and a tag of their own', async () => {
    const [some, all] = [await alice.get(zip(list)), await alice.get(base)];
    await Promise.all([some.arrayBuffer(), all.arrayBuffer()]);
    expect(some.headers.get('etag')).toMatch(/^"zip1-files-[0-9a-f]{64}"$/);
    expect(some.headers.get('content-disposition')).toContain('filename="m-files.zip"');
    expect(some.headers.get('content-length')).toBe(String(chosen(indexes).length));
    // Connections are of the client's choosing: `fetch` closes them after HEAD.
    const left = new Set([
      'etag',
      'content-disposition',
      'content-length',
      'x-request-id',
      'date',
      'connection',
      'keep-alive',
    ]);
    const others = (headers: Headers) => [...headers].filter(([name]) => !left.has(name));
    expect(others(some.headers)).toEqual(others(all.headers));
    const asked = await head(zip(list));
    expect([asked.status, others(asked.headers)]).toEqual([200, others(some.headers)]);
    for (const name of ['etag', 'content-length', 'content-disposition', 'accept-ranges', 'last-modified'])
      expect(asked.headers.get(name), name).toBe(some.headers.get(name));
  });

  test('are the same for equal selections and others for other ones', async () => {
    const tagOf = async (one: string) => (await head(zip(one))).headers.get('etag');
    const tag = await tagOf('0-2,5');
    expect(await tagOf('5,2,0-1,1')).toBe(tag);
    expect(await tagOf('5%2C2%2C0-1')).toBe(tag);
    for (const other of ['0-2', '0-2,6', '0-5', '1-2,5']) expect(await tagOf(other)).not.toBe(tag);
    expect(await tagOf('0-')).toBe((await head(base)).headers.get('etag'));
    const all = await alice.get(zip(`1-,0`));
    expect(all.headers.get('content-disposition')).toContain('filename="m.zip"');
    expect((await bytesOf(all)).equals(await bytesOf(await alice.get(base)))).toBe(true);
  });

  test('of any selection, any slice is the slice of the whole', async () => {
    const some = fc.subarray([...files.keys()].slice(1), { minLength: 1 });
    const withBig = fc.tuple(fc.boolean(), fc.oneof(some, fc.subarray([0, 1, 2, 299, 300, 301], { minLength: 1 })));
    await fc.assert(
      fc.asyncProperty(withBig, fc.nat(), fc.oneof(fc.nat(300), fc.nat(400_000)), async ([big, more], from, length) => {
        const selected = big ? [...new Set([0, ...more])] : more;
        const whole = chosen(selected);
        const start = from % whole.length;
        const end = Math.min(start + length, whole.length - 1);
        const part = await alice.get(zip(selected.join(',')), { range: `bytes=${start}-${end}` });
        expect([part.status, part.headers.get('content-range')]).toEqual([
          206,
          `bytes ${start}-${end}/${whole.length}`,
        ]);
        expect((await bytesOf(part)).equals(whole.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('every slice of a small archive is the slice of the whole', async () => {
    const whole = chosen([3, 9, 10]);
    for (let start = 0; start < whole.length; start += 7) {
      for (const end of [start + 1, start + 40, whole.length].map((at) => Math.min(at, whole.length))) {
        const part = await alice.get(zip('3,9-10'), { range: `bytes=${start}-${end - 1}` });
        expect((await bytesOf(part)).equals(whole.subarray(start, end))).toBe(true);
      }
    }
  });

  test('go on after a cut at any place', async () => {
    const whole = chosen(indexes);
    const tag = (await head(zip(list))).headers.get('etag') ?? '';
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length - 1), { minLength: 1, maxLength: 5 }), async (places) => {
        const cuts = [0, ...[...new Set(places)].filter((at) => at > 0).toSorted((a, b) => a - b), whole.length];
        const parts: Buffer[] = [];
        for (const [at, start] of cuts.slice(0, -1).entries()) {
          const range = `bytes=${start}-${(cuts[at + 1] ?? 0) - 1}`;
          const part = await alice.get(zip(at % 2 === 0 ? list : indexes.join(',')), { range, 'if-range': tag });
          expect(part.status).toBe(206);
          parts.push(await bytesOf(part));
        }
        expect(Buffer.concat(parts).equals(whole)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test('answer conditions and several ranges as the archive of all files does', async () => {
    const whole = chosen(indexes);
    const tag = (await head(zip(list))).headers.get('etag') ?? '';
    const other = (await head(zip('0'))).headers.get('etag') ?? '';
    const changed = await alice.get(zip(list), { range: 'bytes=5-', 'if-range': other });
    expect([changed.status, (await bytesOf(changed)).equals(whole)]).toEqual([200, true]);
    expect((await alice.get(zip(list), { 'if-none-match': tag })).status).toBe(304);
    expect((await alice.get(zip(list), { 'if-match': other })).status).toBe(412);
    const beyond = await alice.get(zip(list), { range: `bytes=${whole.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
    const parts = await alice.get(zip(list), { range: 'bytes=0-9,600000-600099,-22' });
    const body = await bytesOf(parts);
    expect([parts.status, parts.headers.get('content-length')]).toEqual([206, String(body.length)]);
    for (const part of [whole.subarray(0, 10), whole.subarray(600_000, 600_100), whole.subarray(-22)])
      expect(body.includes(part)).toBe(true);
  });
});

describe('a list of files', () => {
  test.each([
    ['', 'missing'],
    ['?', 'missing'],
    ['?file=0', 'the ZIP of all files is at /measurements/m.'],
    ['?files=', 'is empty'],
    ['?files=0&files=1', 'more than once'],
    ['?files=0,x', 'has "x"'],
    ['?files=0+1', 'has "0 1"'],
    ['?files=%00', 'neither an index nor a range'],
    ['?files=5-1', 'ends before it begins'],
    [`?files=${count}`, `names file ${count}, which does not exist`],
    [`?files=0-${count}`, 'counted from 0'],
    [`?files=${'0,'.repeat(4096)}0`, '8192'],
  ])('%s is refused', async (query, words) => {
    const response = await alice.get(`${base}/archive${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'urn:benchport:problem:invalid-request',
      detail: expect.stringContaining(words),
    });
  });

  test('of a measurement without files is refused', async () => {
    const response = await alice.get('/measurements/nothing/archive?files=0-');
    expect([response.status, await response.text()]).toMatchObject([400, expect.stringContaining('has no files')]);
  });

  test('is not looked at before the credential and the access', async () => {
    const bare = await fetch(`${service.url}${base}/archive?files=nonsense`);
    expect(bare.status).toBe(401);
    expect((await bob.get(zip('999'))).status).toBe((await bob.get(base)).status);
    const missing = await alice.get('/measurements/none/archive?files=0');
    expect(missing.status).toBe((await alice.get('/measurements/none')).status);
    const narrow = await service.token(alice.id, ['read_user']);
    expect((await alice.get(zip('0'), { authorization: `Bearer ${narrow}` })).status).toBe(403);
  });

  test('at the address of the archive of all files selects nothing, cached or not', async () => {
    const whole = await bytesOf(await alice.get(base));
    for (let i = 0; i < 5; i += 1) {
      expect(
        (await bytesOf(await alice.get(`${base}?files=0`, { range: 'bytes=0-99' }))).equals(whole.subarray(0, 100)),
      ).toBe(true);
      expect((await bytesOf(await alice.get(base, { range: 'bytes=0-99' }))).equals(whole.subarray(0, 100))).toBe(true);
      const part = await bytesOf(await alice.get(zip('5'), { range: 'bytes=0-49' }));
      expect(part.equals(chosen([5]).subarray(0, 50))).toBe(true);
    }
  });
});

test('five hundred ranges of twenty thousand files are read in pages', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => ({
    path: `f${String(i).padStart(5, '0')}`,
    rowOnly: true as const,
  }));
  await addMeasurement(service, alice.id, 'many', many, registeredAt);
  const spies = (['membersFrom', 'membersBetween', 'placesOf', 'from'] as const).map((name) =>
    vi.spyOn(service.services.files, name),
  );
  const starts = Array.from({ length: 500 }, (_, i) => i * 40);
  const list = starts.map((start) => `${start}-${start + 19}`).join(',');
  const body = await bytesOf(await alice.get(`/measurements/many/archive?files=${list}`));
  const wanted = many
    .filter((_, index) => index % 40 < 20)
    .map(({ path: name }) => ({ path: name, bytes: Buffer.alloc(0), registeredAt }));
  expect(body.equals(zipOf(wanted))).toBe(true);
  const sizes = await Promise.all(
    spies.flatMap(({ mock }) => mock.results.map(async ({ value }) => ((await value) as readonly unknown[]).length)),
  );
  expect(sizes.length).toBeGreaterThan(500);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
  vi.restoreAllMocks();
});

test('the places of a selection are read once for all its ranges', async () => {
  const places = vi.spyOn(service.services.files, 'placesOf');
  for (const list of ['7-9,20', '20,7,8-9']) await head(zip(list));
  await alice.get(zip('7-9,20'), { range: 'bytes=0-9' });
  expect(places).toHaveBeenCalledTimes(1);
  await head(zip('7-9,21'));
  expect(places).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});
