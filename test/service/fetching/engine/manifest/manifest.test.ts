import fc from 'fast-check';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../../../src-main/service/http-client/http-client.ts';
import type { ReadManifest } from '../../../../../src-main/service/fetching/engine/manifest/manifest-types.ts';
import { ManifestSlices } from '../../../../../src-main/service/fetching/engine/manifest/read-manifest-slices.ts';
import { readManifest } from '../../../../../src-main/service/fetching/engine/manifest/read-manifest.ts';
import { unsafePath } from '../../../../../src-main/service/fetching/engine/target/safe-path.ts';

let server: http.Server;
let asker: HttpClient;
let send: (response: http.ServerResponse) => void;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.url === '/lab/measurements/M1/files') send(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lab`;
  asker = createHttpClient({ baseUrl, token: null, certificate: null }, { connections: 2 });
});

afterAll(async () => {
  asker.close();
  await new Promise((resolve) => server.close(resolve));
});

async function read(body: unknown): Promise<ReadManifest> {
  send = (response) => response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  return readManifest(asker, 'M1', AbortSignal.timeout(20_000));
}

const file = (index: number, path = `f${index}`, more: object = {}): object => ({
  index,
  path,
  length: 1,
  crc32: 7,
  ...more,
});
const manifest = (...files: readonly unknown[]): object => ({ measurementId: 'M1', files });

test('a manifest as the interface defines it, with more members than are known', async () => {
  const sha256 = 'AB'.repeat(32);
  const read1 = await read({
    extra: [{ files: [1] }],
    ...manifest(
      file(1, 'b/grüße.txt', {
        length: Number.MAX_SAFE_INTEGER - 1,
        crc32: 4_294_967_295,
        mediaType: 'text/plain',
        _links: { download: { href: '/x/1?a=b' } },
      }),
      file(0, 'a', { sha256, registrationTime: '2026-01-01T00:00:00.000Z', fileName: 'a', tags: { any: [null, 1.5] } }),
    ),
  });
  expect(read1).toMatchObject({ measurementId: 'M1', fileCount: 2, totalBytes: Number.MAX_SAFE_INTEGER });
  // In the order of the indices, whatever the order of the list.
  expect(read1.files).toEqual([
    {
      index: 0,
      path: 'a',
      named: 'a',
      href: null,
      length: 1,
      crc32: 7,
      sha256: new Uint8Array(32).fill(0xab),
      refusal: null,
    },
    {
      index: 1,
      path: 'b/grüße.txt',
      named: 'b/grüße.txt',
      href: '/x/1?a=b',
      length: Number.MAX_SAFE_INTEGER - 1,
      crc32: 4_294_967_295,
      sha256: null,
      refusal: null,
    },
  ]);
  // Another order is the same measurement; another checksum is not.
  const digests = await Promise.all(
    [manifest(file(0), file(1)), manifest(file(1), file(0)), manifest(file(0), file(1, 'f1', { crc32: 8 }))].map(
      async (body) => {
        const one = JSON.stringify(body);
        const around = readSlices([Buffer.from(one)], () => {});
        expect(around).toEqual({ measurementId: 'M1', files: [] });
        return one;
      },
    ),
  );
  const [first, reordered, changed] = [await read(digests[0]), await read(digests[1]), await read(digests[2])];
  expect(Buffer.compare(first.digest, reordered.digest)).toBe(0);
  expect(Buffer.compare(first.digest, changed.digest)).not.toBe(0);
  expect(await read({ files: [] })).toMatchObject({ fileCount: 0, totalBytes: 0, files: [] });
});

test.each([
  ['a sign-in page', '<!doctype html><title>Sign in</title>', /is not JSON/],
  ['nothing', '', /is not JSON/],
  ['a list', '[]', /no list of files/],
  ['no list', { measurementId: 'M1' }, /no list of files/],
  ['a list that is none', { files: {} }, /no list of files/],
  ['a list under a name that only looks like it', '{"x\\"files":[{"index":0}]}', /no list of files/],
  ['two lists with files', `{"files":[],"files":[${JSON.stringify(file(0))}]}`, /no list of files, or more/],
  ['a cut list', '{"files":[{"index":0,', /ends within/],
  ['a comma too many', `{"files":[${JSON.stringify(file(0))},]}`, /is not JSON/],
  [
    'a comma too many behind an entry that fills a slice',
    `{"files":[${JSON.stringify(file(0, 'a', { x: 'x'.repeat(70_000) }))},]}`,
    /is not JSON/,
  ],
  ['brackets that do not fit', '{"files":[}]', /is not JSON/],
  ['bytes that are no text', Buffer.from('{"files":[{"path":"\xff"}]}', 'latin1'), /UTF-8/],
  ['another measurement', { measurementId: 'M2', files: [] }, /another measurement/],
  ['a file that is none', manifest(5), /File 1 .* it is not an object/],
  ['a file without a path', manifest({ index: 0, length: 1, crc32: 1 }), /File 1 .* path/],
  ['a negative checksum', manifest(file(0, 'a', { crc32: -5 })), /File 1 .*crc32 is negative \(-5\).*unsigned/],
  ['a checksum of more than 32 bits', manifest(file(0, 'a', { crc32: 2 ** 32 })), /File 1 .*crc32/],
  ['a length below zero', manifest(file(0), file(1, 'b', { length: -1 })), /File 2 .*length/],
  [
    'a length that is not exact',
    '{"files":[{"index":0,"path":"a","crc32":1,"length":9007199254740993}]}',
    /File 1 .*length/,
  ],
  ['a length as a text', manifest(file(0, 'a', { length: '1' })), /File 1 .*length/],
  ['half a byte', manifest(file(0, 'a', { length: 0.5 })), /File 1 .*length/],
  ['an index that is too large', manifest(file(2 ** 31)), /File 1 .*index/],
  ['two files with one index', manifest(file(3, 'a'), file(3, 'b')), /two files with the index 3/],
  [
    'more than all disks hold',
    manifest(...[0, 1].map((index) => file(index, `f${index}`, { length: Number.MAX_SAFE_INTEGER }))),
    /2\^53/,
  ],
])('refused: %s', async (_name, body, reason) => {
  await expect(read(body)).rejects.toMatchObject({
    reason: 'bad-manifest',
    message: expect.stringMatching(reason) as string,
  });
});

test('a body that breaks off, one that does not end, and an entry that does not end', async () => {
  send = (response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{"files":[');
    setTimeout(() => response.destroy(), 20);
  };
  await expect(readManifest(asker, 'M1', AbortSignal.timeout(20_000))).rejects.toMatchObject({
    name: 'HttpRequestError',
    failure: 'disconnected',
  });
  const endless = (head: string, part: Buffer) => {
    send = (response) => {
      response.on('error', () => {}).write(head);
      const more = (): void => void (response.destroyed || response.write(part, more));
      more();
    };
  };
  endless('{"files":[{"path":"', Buffer.alloc(65_536, 'x'));
  await expect(readManifest(asker, 'M1', AbortSignal.timeout(20_000))).rejects.toThrow(/larger than 1 MiB/);
  endless('{"files":[1', Buffer.from(',1'.repeat(32_768)));
  await expect(readManifest(asker, 'M1', AbortSignal.timeout(20_000))).rejects.toThrow(/File 1 /);
  const part = Buffer.from(`"${'x'.repeat(500_000)}",`);
  let entries = 0;
  const endlessList = () =>
    readSlices(forEver(Buffer.from('{"files":['), part), (some) => void (entries += some.length));
  expect(endlessList).toThrow(/larger than 256 MiB/);
  expect(entries).toBeGreaterThan(500);
  endless('{"a":[', Buffer.from('[],'.repeat(20_000)));
  await expect(readManifest(asker, 'M1', AbortSignal.timeout(20_000))).rejects.toThrow(/larger than 1 MiB/);
});

test('the answer to another question', async () => {
  const body = JSON.stringify(manifest(file(0)));
  send = (response) => response.writeHead(416, { 'content-length': body.length }).end(body);
  await expect(readManifest(asker, 'M1', AbortSignal.timeout(20_000))).rejects.toMatchObject({
    reason: 'bad-answer',
    status: 416,
  });
});

test('an id that would lead to another address', async () => {
  for (const id of ['', '.', '..'])
    await expect(readManifest(asker, id, AbortSignal.timeout(20_000))).rejects.toMatchObject({
      reason: 'bad-manifest',
    });
});

test('more than a million files', async () => {
  const many = Buffer.from(Array.from({ length: 1000 }, () => `${JSON.stringify(file(0))},`).join(''));
  send = (response) => {
    response.on('error', () => {}).write('{"files":[');
    const more = (): void => void (response.destroyed || response.write(many, more));
    more();
  };
  await expect(readManifest(asker, 'M1', AbortSignal.timeout(50_000))).rejects.toThrow(
    /more than 1\u202f000\u202f000 files/,
  );
});

test.each([
  ['/measurements/M1/files/0', '/measurements/M1/files/0'],
  ['/lab/measurements/M1/files/0?x=%2e', '/lab/measurements/M1/files/0?x=%2e'],
  ['https://elsewhere.example/f', null],
  ['//elsewhere.example/f', null],
  ['/\\elsewhere.example/f', null],
  ['relative', null],
  ['/a/../../admin', null],
  ['/a/%2E%2e/admin', null],
  ['/a/..%2fadmin', null],
  ['/a b', null],
  ['/a#b', null],
  ['/ä', null],
  [`/${'a'.repeat(3000)}`, null],
  ['', null],
])('link %.40s', async (href, expected) => {
  const { files } = await read(manifest(file(0, 'a', { _links: { download: { href } } })));
  expect(files[0]?.href).toBe(expected);
});

test('paths that cannot be written stay in the list, with the reason', async () => {
  const paths = [
    'ok/a',
    'OK/A',
    'ok/a',
    'ok',
    'n\u00e4',
    'na\u0308',
    '../x',
    '/abs',
    'a\\b',
    'nul\0',
    'sub/CON.txt',
    'x.benchport-part/y',
    '.Benchport-Fetch/journal.db',
    'photo\u202egpj.exe',
    'photo_gpj\u00ad.exe',
    'photo\u2066gpj.exe',
    '.bench\u200cport-fetch/x',
    '\u200f..\u2028/y',
  ];
  const { files, fileCount } = await read(
    manifest(...paths.map((path, index) => file(index, path)), file(90, 'late'), file(91, 'late/b'), file(92, 'LATE')),
  );
  expect(fileCount).toBe(paths.length + 3);
  expect(files.map(({ path, refusal }) => `${path}: ${refusal}`)).toEqual([
    'ok/a: null',
    'OK/A: it differs from ok/a only by case or Unicode form',
    'ok/a: it is there twice',
    'ok: it is the name of a file and of a folder',
    'n\u00e4: null',
    'na\u0308: it differs from n\u00e4 only by case or Unicode form',
    '../x: the path holds ".." and could lead out of the folder',
    '/abs: the path is absolute',
    'a\\b: the name holds a backslash, which is a folder separator on Windows',
    'nul\0: the name holds a NUL character',
    'sub/CON.txt: Windows reserves the name CON for a device',
    'x.benchport-part/y: names that end in .benchport-part are reserved for incomplete files',
    '.Benchport-Fetch/journal.db: .benchport-fetch is reserved for the download journal',
    'photo_gpj.exe: null',
    'photo_gpj_.exe: null',
    'photo_gpj.exe: it is there twice',
    '.bench_port-fetch/x: null',
    '_.._/y: null',
    'late: it is the name of a file and of a folder',
    'late/b: null',
    'LATE: it differs from late only by case or Unicode form',
  ]);
  expect(unsafePath('a/'.repeat(64) + 'b')).toMatch(/64 folders deep/);
  expect(unsafePath(`${'a/'.repeat(60)}${'\u00e4'.repeat(500)}`)).toMatch(/characters|1024 bytes/);
});

/** Each part is used for something else as soon as it was looked at, as the buffers of a connection are. */
function readSlices(parts: Iterable<Buffer>, take: (entries: readonly unknown[]) => void): object {
  const slices = new ManifestSlices(take);
  for (const part of parts) {
    const lent = Buffer.from(part);
    slices.push(lent);
    lent.fill('x');
  }
  return slices.finish();
}

function* forEver(head: Buffer, part: Buffer): Generator<Buffer> {
  yield head;
  for (;;) yield part;
}

test('read in pieces cut anywhere, a document is what JSON.parse says, or refused by both', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const document = fc
    .record({
      before: fc.dictionary(fc.string(), value),
      files: fc.array(value, { maxLength: 8 }),
      after: fc.dictionary(fc.string(), value),
      space: fc.nat(3),
    })
    .map(({ before, files, after, space }) =>
      JSON.stringify({ ...before, files, ...after, files2: files }, null, space),
    );
  const damage = fc.option(fc.tuple(fc.nat(), fc.constantFrom(',', '[', ']', '}', '{', '"', '\\', 'x', '')));
  fc.assert(
    fc.property(document, damage, fc.array(fc.nat(200), { maxLength: 6 }), (text, broken, cuts) => {
      const at = broken === null ? 0 : broken[0] % text.length;
      const whole = broken === null ? text : text.slice(0, at) + broken[1] + text.slice(at + 1);
      const bytes = Buffer.from(whole);
      const parts: Buffer[] = [];
      let from = 0;
      for (const cut of cuts) {
        parts.push(bytes.subarray(from, from + cut));
        from += cut;
      }
      parts.push(bytes.subarray(from));
      const entries: unknown[] = [];
      let around: unknown;
      try {
        around = readSlices(parts, (some) => void entries.push(...some));
      } catch (error) {
        around = error;
      }
      let expected: unknown;
      try {
        expected = JSON.parse(whole);
      } catch {
        expected = null;
      }
      if (around instanceof Error) {
        // A refused document is not JSON or lacks a single list of files; an undamaged one is never
        // refused.
        expect(broken).not.toBeNull();
      } else {
        expect({ ...(around as object), files: entries }).toEqual(expected);
      }
    }),
    { numRuns: 400 },
  );
});
