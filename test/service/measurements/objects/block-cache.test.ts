import { readSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BlockCache } from '../../../../src-main/service/measurements/objects/block-cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-cache-'));
});
afterEach(async () => rm(folder, { recursive: true }));

const block = (letter: string): Buffer => Buffer.alloc(1000, letter);
const files = async (): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

/** The bytes of a block; null when it has to be added. */
function bytesOf(cache: BlockCache, name: string): string | null {
  const opened = cache.use(name);
  if (!opened) return null;
  const into = Buffer.alloc(1000);
  readSync(opened.fd, into, 0, 1000, 0);
  opened.release();
  return into.toString('latin1', 0, 1);
}

test('keeps the blocks that were used last, and those in use', async () => {
  const cache = new BlockCache(folder, 3000, () => true);
  for (const name of ['a', 'b', 'c']) await cache.add(`00/${name}`, block(name));
  const used = cache.use('00/b');
  expect(bytesOf(cache, '00/a')).toBe('a');
  await cache.add('00/d', block('d'));
  await cache.add('00/e', block('e'));
  expect(['a', 'b', 'c', 'd', 'e'].map((name) => bytesOf(cache, `00/${name}`))).toEqual([null, 'b', null, 'd', 'e']);
  used?.release();
  expect(await files()).toHaveLength(3);
  await cache.close();
});

test('does not grow while there is little space', async () => {
  let mayGrow = true;
  const cache = new BlockCache(folder, 3000, () => mayGrow);
  await cache.add('00/a', block('a'));
  mayGrow = false;
  await cache.add('00/b', block('b'));
  expect([bytesOf(cache, '00/a'), bytesOf(cache, '00/b')]).toEqual([null, 'b']);
  await cache.close();
});

test('forgets a block whose file somebody changed', async () => {
  const cache = new BlockCache(folder, 3000, () => true);
  await cache.add('00/a', block('a'));
  await appendFile(path.join(folder, '00/a'), 'x');
  expect(bytesOf(cache, '00/a')).toBe(null);
  await cache.add('00/a', block('a'));
  expect(bytesOf(cache, '00/a')).toBe('a');
  await cache.close();
});

test('finds what an earlier process left, once its bytes were checked, and removes what it did not finish', async () => {
  const before = new BlockCache(folder, 3000, () => true);
  await before.add('00/a', block('a'));
  await before.add('00/b', block('b'));
  await before.close();
  await writeFile(path.join(folder, '00/c.x.partial'), 'half');
  const cache = new BlockCache(folder, 3000, () => true);
  expect(bytesOf(cache, '00/a')).toBe(null);
  await cache.reopen('00/a', async () => true);
  await cache.reopen('00/b', async () => false);
  expect([bytesOf(cache, '00/a'), bytesOf(cache, '00/b')]).toEqual(['a', null]);
  expect(await files()).toEqual(['a']);
  await cache.close();
});

test('survives a folder that is removed under it', async () => {
  const cache = new BlockCache(folder, 3000, () => true);
  await cache.add('00/a', block('a'));
  await rm(path.join(folder, '00'), { recursive: true });
  expect(bytesOf(cache, '00/a')).toBe(null);
  await cache.add('00/b', block('b'));
  expect(bytesOf(cache, '00/b')).toBe('b');
  await cache.close();
});
