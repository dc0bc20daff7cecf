import { expect, test } from 'vitest';
import { readManifest } from '../../../../../src-main/service/fetching/engine/manifest/read-manifest.ts';
import { file, manifest, readSlices, useManifestServer } from './manifest-server.ts';

const scene = useManifestServer();
const { read } = scene;

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
  scene.send = (response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{"files":[');
    setTimeout(() => response.destroy(), 20);
  };
  await expect(readManifest(scene.asker, 'M1', AbortSignal.timeout(20_000))).rejects.toMatchObject({
    name: 'HttpRequestError',
    failure: 'disconnected',
  });
  const endless = (head: string, part: Buffer) => {
    scene.send = (response) => {
      response.on('error', () => {}).write(head);
      const more = (): void => void (response.destroyed || response.write(part, more));
      more();
    };
  };
  endless('{"files":[{"path":"', Buffer.alloc(65_536, 'x'));
  await expect(readManifest(scene.asker, 'M1', AbortSignal.timeout(20_000))).rejects.toThrow(/larger than 1 MiB/);
  endless('{"files":[1', Buffer.from(',1'.repeat(32_768)));
  await expect(readManifest(scene.asker, 'M1', AbortSignal.timeout(20_000))).rejects.toThrow(/File 1 /);
  const part = Buffer.from(`"${'x'.repeat(500_000)}",`);
  let entries = 0;
  const endlessList = () =>
    readSlices(forEver(Buffer.from('{"files":['), part), (some) => void (entries += some.length));
  expect(endlessList).toThrow(/larger than 256 MiB/);
  expect(entries).toBeGreaterThan(500);
  endless('{"a":[', Buffer.from('[],'.repeat(20_000)));
  await expect(readManifest(scene.asker, 'M1', AbortSignal.timeout(20_000))).rejects.toThrow(/larger than 1 MiB/);
});

test('the answer to another question', async () => {
  const body = JSON.stringify(manifest(file(0)));
  scene.send = (response) => response.writeHead(416, { 'content-length': body.length }).end(body);
  await expect(readManifest(scene.asker, 'M1', AbortSignal.timeout(20_000))).rejects.toMatchObject({
    reason: 'bad-answer',
    status: 416,
  });
});

test('an id that would lead to another address', async () => {
  for (const id of ['', '.', '..'])
    await expect(readManifest(scene.asker, id, AbortSignal.timeout(20_000))).rejects.toMatchObject({
      reason: 'bad-manifest',
    });
});

test('more than a million files', async () => {
  const many = Buffer.from(Array.from({ length: 1000 }, () => `${JSON.stringify(file(0))},`).join(''));
  scene.send = (response) => {
    response.on('error', () => {}).write('{"files":[');
    const more = (): void => void (response.destroyed || response.write(many, more));
    more();
  };
  await expect(readManifest(scene.asker, 'M1', AbortSignal.timeout(50_000))).rejects.toThrow(
    /more than 1\u202f000\u202f000 files/,
  );
});

function* forEver(head: Buffer, part: Buffer): Generator<Buffer> {
  yield head;
  for (;;) yield part;
}
