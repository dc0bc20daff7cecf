import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  checkExisting,
  digestFault,
  digestFile,
} from '../../../../../src-main/service/fetching/engine/checksums/check-existing.ts';
import { openTarget } from '../../../../../src-main/service/fetching/engine/target/target-folder.ts';
import { mayMount } from '../../../may-mount.ts';
import { eachTestIn, failure, write } from './target-scene.ts';

let above: string;
let folder: string;

eachTestIn((scene) => {
  ({ above, folder } = scene);
});

test('a name so long that no ending fits has another one until it is whole', async () => {
  const target = await openTarget(folder);
  const [long, other] = [`${'x'.repeat(251)}.txt`, `${'x'.repeat(250)}y.txt`];
  for (const name of [long, other]) write(target, name, name);
  expect(readdirSync(folder).toSorted()).toEqual([other, long].toSorted());
  expect(readFileSync(path.join(folder, long), 'utf8')).toBe(long);
  expect(() => target.create('x'.repeat(300))).toThrow(failure('bad-path', /longer than 255/, true));
  target.close();
});

test('names that lie in many folders, more than are held', async () => {
  const target = await openTarget(folder);
  for (let at = 0; at < 200; at += 1) write(target, `${at % 100}/deeper/and/deeper/${at}`, String(at));
  await target.sync();
  expect(readFileSync(path.join(folder, '99/deeper/and/deeper/199'), 'utf8')).toBe('199');
  const open = (): number => readdirSync('/proc/self/fd').length;
  if (existsSync('/proc/self/fd')) {
    const before = open();
    target.close();
    expect(before - open()).toBe(65);
  } else target.close();
});

test('what is there is compared: by length, CRC-32 and SHA-256, as far as they are known', async () => {
  const target = await openTarget(folder);
  const bytes = Buffer.alloc(3_000_001, 'measured');
  const sha256 = createHash('sha256').update(bytes).digest();
  for (const name of ['big', 'small', 'empty']) write(target, name, '');
  writeFileSync(path.join(folder, 'big'), bytes);
  writeFileSync(path.join(folder, 'small'), 'abc');
  const signal = new AbortController();
  let seen = 0;
  const check = async (file: object) =>
    checkExisting(
      target,
      { path: 'big', length: bytes.length, crc32: crc32(bytes), sha256, ...file },
      signal.signal,
      (read) => {
        seen += read;
      },
    );
  expect(await check({})).toEqual({ kind: 'right', digest: { length: bytes.length, crc32: crc32(bytes), sha256 } });
  expect(seen).toBe(bytes.length);
  expect(await check({ sha256: null, length: null })).toMatchObject({ kind: 'right' });
  expect(await check({ path: 'small', length: 3, crc32: crc32('abc'), sha256: null })).toMatchObject({ kind: 'right' });
  expect(await check({ path: 'empty', length: 0, crc32: 0, sha256: null })).toMatchObject({ kind: 'right' });
  expect(await check({ path: 'absent' })).toEqual({ kind: 'absent' });
  const other = (message: RegExp): object => ({ kind: 'other', message: expect.stringMatching(message) as string });
  seen = 0;
  expect(await check({ length: 5 })).toEqual(other(/big has 3\u202f000\u202f001 bytes instead of 5\./));
  // Not a byte is read to find out.
  expect(seen).toBe(0);
  expect(await check({ crc32: 1 })).toEqual(other(/the CRC-32 [0-9a-f]{8} instead of 00000001/));
  expect(await check({ sha256: Buffer.alloc(32) })).toEqual(
    other(new RegExp(`the SHA-256 ${sha256.toString('hex')} instead of 0{64}`)),
  );
  expect(await check({ crc32: null, sha256: null })).toEqual(other(/gives no checksum/));
  const fd = target.openFinished('big') ?? -1;
  const digest = await digestFile(fd, signal.signal, () => {});
  expect(digestFault({ path: 'big', length: bytes.length, crc32: crc32(bytes), sha256 }, digest)).toBeNull();
  expect(digestFault({ path: 'big', length: 1, crc32: null, sha256: null }, digest)).toMatchObject({
    reason: 'length-mismatch',
  });
  signal.abort(new Error('stopped'));
  await expect(digestFile(fd, signal.signal, () => {})).rejects.toThrow('stopped');
  closeSync(fd);
  target.close();
});

test.runIf(mayMount)('a full disk and a read-only one are distinguished', async () => {
  const disk = path.join(above, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=4', 'benchport-test', disk]);
  try {
    const target = await openTarget(path.join(disk, 'M1'));
    expect(() => {
      for (let at = 0; at < 9; at += 1) write(target, `f${at}`, 'x');
    }).toThrow(failure('disk-full', /disk is full/, false));
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect(() => target.create('g')).toThrow(failure('target-unwritable', /read-only/, false));
    target.close();
  } finally {
    execFileSync('umount', [disk]);
  }
});
