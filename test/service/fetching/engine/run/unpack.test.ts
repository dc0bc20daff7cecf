import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReadManifest } from '../../../../../src-main/service/fetching/engine/manifest/manifest-types.ts';
import { PathCheck, plainPath } from '../../../../../src-main/service/fetching/engine/target/safe-path.ts';
import { openTarget } from '../../../../../src-main/service/fetching/engine/target/target-folder.ts';
import type { Target } from '../../../../../src-main/service/fetching/engine/target/target.ts';
import { checkArchive, unpackArchive } from '../../../../../src-main/service/fetching/engine/run/unpack-archive.ts';
import { buildZip, type BuiltEntry } from '../../../measurements/registration/zip-builder.ts';

let root: string;
let runs = 0;
let folder: string;
let target: Target;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'benchport-unpack-'));
});
beforeEach(async () => {
  target?.close();
  runs += 1;
  folder = path.join(root, String(runs), 'M1');
  mkdirSync(path.dirname(folder));
  target = await openTarget(folder);
});
afterAll(async () => {
  target.close();
  await rm(root, { recursive: true, force: true });
});

const contents: Readonly<Record<string, Buffer>> = {
  'a.txt': Buffer.from('first'),
  'deep/er/b.bin': Buffer.alloc(700_000, 'second '),
  empty: Buffer.alloc(0),
  'n\u00e4me': Buffer.from('named'),
};

function manifestOf(files: Readonly<Record<string, Buffer>>, change: object = {}): ReadManifest {
  const check = new PathCheck();
  for (const name of Object.keys(files)) check.add(name);
  const list = Object.entries(files).map(([name, data], index) => ({
    index,
    path: plainPath(name),
    named: name,
    href: null,
    length: data.length,
    crc32: crc32(data),
    sha256: new Uint8Array(createHash('sha256').update(data).digest()),
    refusal: check.refusals.get(index) ?? null,
    ...change,
  }));
  return {
    measurementId: 'M1',
    digest: new Uint8Array(32),
    fileCount: list.length,
    totalBytes: list.reduce((sum, file) => sum + file.length, 0),
    files: list,
  };
}

const entriesOf = (files: Readonly<Record<string, Buffer>>): BuiltEntry[] =>
  Object.entries(files).map(([name, data], at) => ({ name, data, deflate: at % 2 === 0 }));

async function unpack(
  entries: readonly BuiltEntry[],
  manifest = manifestOf(contents),
): Promise<{ bytes: number; files: number }> {
  writeFileSync(path.join(folder, 'M1.zip'), buildZip(entries));
  let [bytes, files] = [0, 0];
  await unpackArchive(target, 'M1.zip', manifest, {
    signal: AbortSignal.timeout(20_000),
    onBytes: (more) => (bytes += more),
    onFile: () => (files += 1),
  });
  return { bytes, files };
}

const everything = (): string[] => readdirSync(folder, { recursive: true }).map(String).toSorted();

test('the files of the manifest, verified; a second run keeps existing ones', async () => {
  const total = manifestOf(contents).totalBytes;
  // Folders may be listed too.
  expect(await unpack([{ name: 'deep/' }, ...entriesOf(contents)])).toEqual({ bytes: total, files: 4 });
  for (const [name, data] of Object.entries(contents))
    expect(readFileSync(path.join(folder, name)).equals(data)).toBe(true);
  expect(everything()).toEqual(['M1.zip', 'a.txt', 'deep', 'deep/er', 'deep/er/b.bin', 'empty', 'n\u00e4me']);
  let proven = 0;
  await checkArchive(target, 'M1.zip', manifestOf(contents), {
    signal: AbortSignal.timeout(20_000),
    onBytes: (more) => (proven += more),
    onFile: () => {},
  });
  expect(proven).toBe(total);
  await rm(path.join(folder, 'a.txt'));
  // A kill leaves such a second name.
  linkSync(path.join(folder, 'empty'), path.join(folder, 'empty.benchport-part'));
  expect(await unpack(entriesOf(contents))).toEqual({ bytes: total, files: 4 });
  expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('first');
  expect(everything()).toEqual(['M1.zip', 'a.txt', 'deep', 'deep/er', 'deep/er/b.bin', 'empty', 'n\u00e4me']);
});

test('names of the manifest in another Unicode form than in the archive', async () => {
  const decomposed = { 'na\u0308me': Buffer.from('named') };
  await unpack(entriesOf({ 'n\u00e4me': Buffer.from('named') }), manifestOf(decomposed));
  expect(everything()).toEqual(['M1.zip', 'na\u0308me']);
});

test('a name with misleading characters is written without them', async () => {
  const turned = { 'as\u202egpj.exe': Buffer.from('turned around') };
  await unpack(entriesOf(turned), manifestOf(turned));
  expect(everything()).toEqual(['M1.zip', 'as_gpj.exe']);
});

const only = { a: Buffer.from('aaaa') };
test.each<[string, readonly BuiltEntry[], RegExp]>([
  ['a file too many', [...entriesOf(only), { name: 'b', data: 'b' }], /contains b, which the manifest does not list/],
  ['a file too few', [], /lacks a, which/],
  ['another length', entriesOf({ a: Buffer.from('aaa') }), /a different length or checksum/],
  ['another checksum', entriesOf({ a: Buffer.from('aaab') }), /a different length or checksum/],
  ['a checksum that lies', [{ name: 'a', data: 'aaab', crc: crc32('aaaa') }], /a: its CRC-32 is not/],
  [
    'a length that lies',
    [{ name: 'a', data: 'aaaaaaaa', deflate: true, size: 4, crc: crc32('aaaa') }],
    /a: it unpacks to more than the 4 bytes/,
  ],
  ['a path that leads out', [{ name: '../a', data: 'aaaa' }], /could lead out of the folder/],
  ['an absolute path', [{ name: '/a', data: 'aaaa' }], /absolute/],
  ['a link', [{ name: 'a', data: '/etc/passwd', mode: 0o120777 }], /it is a link/],
  ['one name twice', [...entriesOf(only), ...entriesOf(only)], /there twice/],
  ['one place twice', [...entriesOf(only), { name: 'b', data: 'aaaa', offset: 0 }], /overlap/],
  ['a count that lies', entriesOf({ ...only, b: Buffer.from('b') }), /more entries than it states/],
])('refused: %s', async (name, entries, reason) => {
  const zip = buildZip(entries, name === 'a count that lies' ? { count: 1 } : {});
  writeFileSync(path.join(folder, 'M1.zip'), zip);
  const work = { signal: AbortSignal.timeout(20_000), onBytes: () => {}, onFile: () => {} };
  for (const act of [checkArchive, unpackArchive]) {
    const refusal = { reason: 'bad-archive', message: expect.stringMatching(reason) as string };
    await expect(act(target, 'M1.zip', manifestOf(only), work)).rejects.toMatchObject(refusal);
  }
  expect(everything()).toEqual(['M1.zip']);
  expect(readdirSync(path.dirname(folder))).toEqual(['M1']);
});

test('refused: what is no archive, a right CRC-32 with another SHA-256, and a name that cannot be written', async () => {
  const work = { signal: AbortSignal.timeout(20_000), onBytes: () => {}, onFile: () => {} };
  writeFileSync(path.join(folder, 'M1.zip'), 'not an archive');
  await expect(unpackArchive(target, 'M1.zip', manifestOf(only), work)).rejects.toMatchObject({
    reason: 'bad-archive',
    message: /not a ZIP archive/,
  });
  await expect(unpack(entriesOf(only), manifestOf(only, { sha256: new Uint8Array(32) }))).rejects.toThrow(
    /does not match the manifest: a has the SHA-256/,
  );
  const device = { 'con.txt': Buffer.from('x') };
  await expect(unpack(entriesOf(device), manifestOf(device))).rejects.toThrow(
    /con.txt cannot be unpacked under its name: Windows reserves/,
  );
  await checkArchive(target, 'M1.zip', manifestOf(device), work);
  await expect(unpackArchive(target, 'gone.zip', manifestOf(only), work)).rejects.toMatchObject({
    reason: 'target-missing',
  });
  expect(everything()).toEqual(['M1.zip']);
});

test('another file in the way is kept, a planted link is not followed, and it can be stopped', async () => {
  writeFileSync(path.join(folder, 'a'), 'mine');
  await expect(unpack(entriesOf(only), manifestOf(only))).rejects.toMatchObject({
    reason: 'name-taken',
    onlyThisFile: true,
  });
  expect(readFileSync(path.join(folder, 'a'), 'utf8')).toBe('mine');
  const outside = path.join(path.dirname(folder), 'outside');
  mkdirSync(outside);
  symlinkSync(outside, path.join(folder, 'deep'));
  await expect(unpack(entriesOf(contents))).rejects.toMatchObject({ reason: 'name-taken', message: /deep: a link/ });
  expect(readdirSync(outside)).toEqual([]);
  const stop = new AbortController();
  const work = { signal: stop.signal, onBytes: () => stop.abort(new Error('stopped by the user')), onFile: () => {} };
  await expect(
    unpackArchive(target, 'M1.zip', manifestOf({ ...contents, z: Buffer.alloc(0) }), work),
  ).rejects.toMatchObject({ reason: 'bad-archive' });
  const big = { big: Buffer.alloc(3_000_000, 'x') };
  writeFileSync(path.join(folder, 'M1.zip'), buildZip(entriesOf(big)));
  await expect(unpackArchive(target, 'M1.zip', manifestOf(big), work)).rejects.toThrow('stopped by the user');
  expect(everything().filter((name) => name.startsWith('big'))).toEqual([]);
});
