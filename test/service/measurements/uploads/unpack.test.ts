import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeManifest } from '../../../../src-main/service/measurements/uploads/members/store-manifest.ts';
import { BodyBytes, WrongBytesError } from '../../../../src-main/service/measurements/uploads/unpack/body-bytes.ts';
import { BodyCopy } from '../../../../src-main/service/measurements/uploads/unpack/body-copy.ts';
import { UnpackedBody } from '../../../../src-main/service/measurements/uploads/unpack/unpacked-body.ts';
import { buildZip } from '../registration/zip-builder.ts';
import { manifestOf } from './manifest-support.ts';

const mebibyte = 1024 * 1024;
/** The time of all entries of a built archive. */
const time = '2025-01-01T12:00:00.000Z';
const files: Readonly<Record<string, Buffer>> = {
  'z/large.bin': randomBytes(5 * mebibyte + 3),
  'a/empty.txt': Buffer.alloc(0),
  'a/packed.csv': Buffer.from('1.5;2.5;3.5\n'.repeat(300_000)),
  'käse.txt': Buffer.from('Käse\n'),
  ...Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`m/${(at * 7919) % 200}.txt`, randomBytes(20 + at * 50)]),
  ),
};
const zip = buildZip(Object.entries(files).map(([name, data], at) => ({ name, data, deflate: at % 2 === 0 })));
const sorted = Object.keys(files).toSorted();
const expected = manifestOf(
  'x',
  sorted.map((name) => ({ path: name, bytes: files[name] ?? Buffer.alloc(0) })),
  time,
).archive;

let dir: string;
beforeAll(async () => void (dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-unpack-'))));
afterAll(async () => rm(dir, { recursive: true }));

/** An upload in parts of some lengths, one after the other and again. */
class Stored {
  readonly bytes: BodyBytes;
  requests = 0;
  flips = false;

  constructor(body: Buffer, lengths: readonly number[], hasRoom: boolean) {
    const parts: { number: number; etag: string; position: number }[] = [];
    for (let at = 0; at < body.length;) {
      const part = body.subarray(at, at + (lengths[parts.length % lengths.length] ?? mebibyte));
      at += part.length;
      parts.push({
        number: parts.length + 1,
        etag: createHash('sha256').update(part).digest('hex'),
        position: at,
      });
    }
    const copy = new BodyCopy(dir, hasRoom ? body.length : Number.MAX_SAFE_INTEGER);
    this.bytes = new BodyBytes(parts, copy, async (index, from, into) => {
      this.requests += 1;
      const begin = (parts[index - 1]?.position ?? 0) + from;
      body.copy(into, 0, begin, begin + into.length);
      if (this.flips) into[into.length >> 1] = (into[into.length >> 1] ?? 0) ^ 1;
    });
  }
}

/** A body that was listed and read, and the sizes of its archive. */
async function unpacked(stored: Stored, fileName = 'run.zip') {
  const upload = { parts: [], folder: dir, fileName, modifiedAt: Date.parse(time), ignoreList: [] };
  const body = await UnpackedBody.list(stored.bytes, upload);
  await body.hash(() => {});
  await rm(path.join(dir, 'manifest.ndjson'), { force: true });
  const entries = (async function* () {
    for (const { registeredAt, ...file } of body.files())
      yield { ...file, registrationTime: new Date(registeredAt).toISOString() };
  })();
  return { body, archive: (await storeManifest(dir, { id: '' }, entries)).archive };
}

async function archiveFrom({ body, archive }: Awaited<ReturnType<typeof unpacked>>, position: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body.archive(dir, archive, position)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const lengthsOf: readonly (readonly [string, readonly number[]])[] = [
  ['of 8 MiB', [8 * mebibyte]],
  ['of many lengths', [1, 100, 30, 70_000, 3, 1_500_000]],
];

describe.each([
  ['with a copy', true],
  ['without room for a copy', false],
])('%s', (_what, hasRoom) => {
  test.each(lengthsOf)(
    'the archive of a body in parts %s is that of its files, from any byte on',
    async (_of, lengths) => {
      const stored = new Stored(zip, lengths, hasRoom);
      const one = await unpacked(stored);
      expect((await archiveFrom(one, 0)).equals(expected)).toBe(true);
      const positions = [1, 29, 30, expected.length - 1, one.archive.directoryOffset, one.archive.directoryOffset - 1];
      for (let at = 0; at < 20; at += 1) positions.push(Math.floor((expected.length * at) / 20));
      for (const position of positions)
        expect((await archiveFrom(one, position)).equals(expected.subarray(position))).toBe(true);
    },
  );

  test.each(lengthsOf)('a body in parts %s may be the only file', async (_of, lengths) => {
    const bytes = randomBytes(3 * mebibyte + 7);
    const one = await unpacked(new Stored(bytes, lengths, hasRoom), 'scan.bin');
    const { archive } = manifestOf('x', [{ path: 'scan.bin', bytes }], time);
    expect((await archiveFrom(one, 0)).equals(archive)).toBe(true);
    expect((await archiveFrom(one, 2_000_000)).equals(archive.subarray(2_000_000))).toBe(true);
  });
});

test('a copy spares the storage all but one read, and has no name', async () => {
  const stored = new Stored(zip, [mebibyte], true);
  const one = await unpacked(stored);
  const before = stored.requests;
  await archiveFrom(one, 0);
  expect(stored.requests).toBe(before);
  expect(await readdir(dir)).toEqual(['manifest.ndjson']);
});

test('bytes that differ from those that were read first are found', async () => {
  const one = new Stored(zip, [mebibyte], false);
  const found = await unpacked(one);
  one.flips = true;
  await expect(archiveFrom(found, 0)).rejects.toThrow(WrongBytesError);
  one.flips = false;
  expect((await archiveFrom(found, 0)).equals(expected)).toBe(true);
});

test('wrong bytes of a part are no damage of the archive, and are read again', async () => {
  const stored = new Stored(zip, [mebibyte], true);
  stored.flips = true;
  const upload = { parts: [], folder: dir, fileName: 'run.zip', modifiedAt: 0, ignoreList: [] };
  await expect(UnpackedBody.list(stored.bytes, upload)).rejects.toThrow(WrongBytesError);
  stored.flips = false;
  const body = await UnpackedBody.list(stored.bytes, upload);
  stored.flips = true;
  await expect(body.hash(() => {})).rejects.toThrow(WrongBytesError);
  stored.flips = false;
  await body.hash(() => {});
  expect([...body.files()].map(({ path: name }) => name)).toEqual(sorted);
});
