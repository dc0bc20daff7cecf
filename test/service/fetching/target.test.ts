import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkExisting, digestFault, digestFile } from '../../../src-main/service/fetching/engine/check-existing.ts';
import { openTarget, type Target } from '../../../src-main/service/fetching/engine/target-folder.ts';
import { canHold } from '../../../src-main/service/fetching/engine/target-folder-walk.ts';
import { TargetError } from '../../../src-main/service/fetching/engine/target-folder-error.ts';
import { mayMount } from '../may-mount.ts';

let root: string;
let runs = 0;
/** Of one test: the folder above the target, the target, and a folder that nothing may get into. */
let above: string;
let folder: string;
let outside: string;

beforeAll(async () => {
  // In memory where that is possible: thousands of files are made.
  root = await mkdtemp(path.join(existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'benchport-target-'));
});
afterAll(async () => rm(root, { recursive: true, force: true }));
beforeEach(() => {
  runs += 1;
  above = path.join(root, String(runs));
  [folder, outside] = [path.join(above, 'M1'), path.join(above, 'outside')];
  mkdirSync(outside, { recursive: true });
});

function write(target: Target, file: string, text: string): void {
  const fd = target.create(file);
  writeSync(fd, text);
  closeSync(fd);
  target.finish(file);
}

const failure = (reason: string, message: RegExp, onlyThisFile: boolean): object =>
  expect.objectContaining({ name: 'TargetError', reason, message: expect.stringMatching(message) as string, onlyThisFile }) as object;

// As on Linux, and as where folders cannot be held by descriptors.
describe.each([true, false])('folders held: %s', (holding) => {
  const open = async (): Promise<Target> => openTarget(folder, holding);

  test('a file is whole before it has its name, and is gone on with', async () => {
    const target = await open();
    const fd = target.create('a/b/c.txt');
    writeSync(fd, 'half');
    closeSync(fd);
    expect(readdirSync(path.join(folder, 'a/b'))).toEqual(['c.txt.benchport-part']);
    expect(target.openFinished('a/b/c.txt')).toBeNull();
    const again = target.reopen('a/b/c.txt') ?? -1;
    writeSync(again, 'half of it', 0);
    closeSync(again);
    target.finish('a/b/c.txt');
    await target.sync();
    expect(readdirSync(path.join(folder, 'a/b'))).toEqual(['c.txt']);
    expect(readFileSync(path.join(folder, 'a/b/c.txt'), 'utf8')).toBe('half of it');
    expect(target.reopen('a/b/c.txt')).toBeNull();
    expect(target.reopen('never/there')).toBeNull();
    target.discard('never/there');
    // From scratch: nothing of the older one is left.
    closeSync(target.create('d'));
    writeFileSync(path.join(folder, 'd.benchport-part'), 'old');
    write(target, 'd', 'n');
    expect(readFileSync(path.join(folder, 'd'), 'utf8')).toBe('n');
    closeSync(target.create('e'));
    rmSync(path.join(folder, 'e.benchport-part'));
    expect(() => target.finish('e')).toThrow(failure('target-unwritable', /removed its unfinished file/, true));
    closeSync(target.create('e'));
    target.discard('e');
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'd']);
    target.close();
  });

  test('what is there already is never replaced', async () => {
    const target = await open();
    writeFileSync(path.join(folder, 'mine'), 'mine');
    symlinkSync(path.join(outside, 'new'), path.join(folder, 'dangling'));
    mkdirSync(path.join(folder, 'folder'));
    for (const name of ['mine', 'dangling', 'folder']) {
      closeSync(target.create(name));
      expect(() => target.finish(name)).toThrow(failure('target-unwritable', /another file has this name/, true));
    }
    expect(readFileSync(path.join(folder, 'mine'), 'utf8')).toBe('mine');
    expect(readdirSync(outside)).toEqual([]);
    expect(() => target.openFinished('dangling')).toThrow(failure('target-unwritable', /no ordinary file/, true));
    expect(() => target.openFinished('folder')).toThrow(failure('target-unwritable', /no ordinary file/, true));
    expect(() => target.create('mine/below')).toThrow(failure('target-unwritable', /mine: a link or a file has the name of this folder/, true));
    target.close();
  });

  test('what is prepared under the name of the unfinished file is not written into', async () => {
    const target = await open();
    writeFileSync(path.join(outside, 'victim'), 'untouched');
    symlinkSync(path.join(outside, 'victim'), path.join(folder, 'a.benchport-part'));
    linkSync(path.join(outside, 'victim'), path.join(folder, 'b.benchport-part'));
    execFileSync('mkfifo', [path.join(folder, 'c.benchport-part')]);
    for (const name of ['a', 'b', 'c']) {
      expect(target.reopen(name)).toBeNull();
      write(target, name, 'fetched');
      expect(readFileSync(path.join(folder, name), 'utf8')).toBe('fetched');
    }
    expect(readFileSync(path.join(outside, 'victim'), 'utf8')).toBe('untouched');
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    expect(() => target.openFinished('pipe')).toThrow(failure('target-unwritable', /no ordinary file/, true));
    target.close();
  });

  test('killed while the file got its name: it is unfinished again', async () => {
    const target = await open();
    const fd = target.create('a');
    writeSync(fd, 'bytes');
    closeSync(fd);
    linkSync(path.join(folder, 'a.benchport-part'), path.join(folder, 'a'));
    closeSync(target.reopen('a') ?? -1);
    expect(readdirSync(folder)).toEqual(['a.benchport-part']);
    linkSync(path.join(folder, 'a.benchport-part'), path.join(folder, 'a'));
    target.finish('a');
    expect(readdirSync(folder)).toEqual(['a']);
    target.close();
  });

  test('a folder that is removed, moved or replaced is told, and one inside it is made again', async () => {
    const target = await open();
    write(target, 'sub/a', '1');
    renameSync(path.join(folder, 'sub'), path.join(outside, 'sub'));
    write(target, 'sub/b', '2');
    expect(readdirSync(path.join(folder, 'sub'))).toEqual(['b']);
    renameSync(folder, path.join(outside, 'moved'));
    const gone = failure('target-missing', /no longer there/, false);
    expect(() => target.create('sub/c')).toThrow(gone);
    symlinkSync(outside, folder);
    expect(() => target.create('c')).toThrow(gone);
    await expect(target.sync()).rejects.toEqual(gone);
    rmSync(folder);
    mkdirSync(folder);
    if (holding) expect(() => target.create('c')).toThrow(gone);
    target.close();
    expect(readdirSync(outside).toSorted()).toEqual(['moved', 'sub']);
    await expect(openTarget(path.join(above, 'nowhere', 'M1'), holding)).rejects.toEqual(gone);
  });

  test('no path leads out of the folder, whatever is in it', async () => {
    writeFileSync(path.join(outside, 'secret'), 'secret');
    const target = await open();
    const plant = (): void => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(path.join(folder, 'sub'), { recursive: true });
      symlinkSync(outside, path.join(folder, 'link'));
      symlinkSync('..', path.join(folder, 'sub/up'));
      symlinkSync(path.join(outside, 'new'), path.join(folder, 'sub/dangling'));
      symlinkSync(path.join(outside, 'secret'), path.join(folder, 'secret.benchport-part'));
    };
    target.close();
    const names = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'A',
      'link',
      'sub',
      'up',
      'dangling',
      'secret',
      'new',
      'C:',
      'con',
      '\0',
      '~',
      '\\..',
      'n\u0308',
      '..\u2215..',
      '%2e%2e',
      '.benchport-fetch',
    );
    const paths = fc.oneof(
      fc.array(names, { maxLength: 5 }).map((parts) => parts.join('/')),
      fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 12 }),
      fc.constant(path.join(outside, 'absolute')),
      fc.constant(`../outside/x`),
    );
    const inside = (): void => {
      expect(readdirSync(above).toSorted()).toEqual(['M1', 'outside']);
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(path.join(outside, 'secret'), 'utf8')).toBe('secret');
    };
    await fc.assert(
      fc
        .asyncProperty(fc.array(paths, { minLength: 1, maxLength: 6 }), async (some) => {
          const one = await open();
          for (const file of some) {
            for (const act of [
              () => write(one, file, 'hostile'),
              () => closeSync(one.reopen(file) ?? one.create(file)),
              () => one.discard(file),
              () => {
                const fd = one.openFinished(file);
                if (fd === null) return;
                expect(readFileSync(fd, 'utf8')).not.toBe('secret');
                closeSync(fd);
              },
            ]) {
              try {
                act();
              } catch (error) {
                if (!(error instanceof TargetError)) throw error;
              }
            }
          }
          one.close();
          inside();
        })
        .beforeEach(plant),
      { numRuns: 100 },
    );
  });
});

test.runIf(canHold)('a folder that is exchanged for a link again and again while files are made', async () => {
  mkdirSync(path.join(folder, 'sub'), { recursive: true });
  const target = await openTarget(folder);
  const stop = new Int32Array(new SharedArrayBuffer(8));
  // In a thread of its own: all calls of the target block this one.
  const swapper = new Worker(
    `const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
     const { folder, outside, stop } = require('node:worker_threads').workerData;
     // The target may have made the folder itself in the moment in which there was none.
     const attempt = (act) => { try { act(); } catch { rmSync(folder + '/away', { recursive: true, force: true }); } };
     while (Atomics.load(stop, 0) === 0) {
       attempt(() => renameSync(folder + '/sub', folder + '/away'));
       attempt(() => symlinkSync(outside, folder + '/sub'));
       Atomics.add(stop, 1, 1);
       attempt(() => unlinkSync(folder + '/sub'));
       attempt(() => renameSync(folder + '/away', folder + '/sub'));
     }`,
    { eval: true, workerData: { folder, outside, stop } },
  );
  const unexpected: unknown[] = [];
  let made = 0;
  let refused = 0;
  while (Atomics.load(stop, 1) === 0) await new Promise(setImmediate);
  for (let round = 0; round < 2000 || made === 0 || refused === 0; round += 1) {
    try {
      write(target, `sub/f${round}`, 'bytes');
      made += 1;
    } catch (error) {
      if (error instanceof TargetError) refused += 1;
      else unexpected.push(error);
    }
  }
  Atomics.store(stop, 0, 1);
  await new Promise((resolve) => swapper.once('exit', resolve));
  target.close();
  expect(unexpected).toEqual([]);
  expect(readdirSync(outside)).toEqual([]);
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
    checkExisting(target, { path: 'big', length: bytes.length, crc32: crc32(bytes), sha256, ...file }, signal.signal, (read) => {
      seen += read;
    });
  expect(await check({})).toEqual({ kind: 'right', digest: { length: bytes.length, crc32: crc32(bytes), sha256 } });
  expect(seen).toBe(bytes.length);
  expect(await check({ sha256: null, length: null })).toMatchObject({ kind: 'right' });
  expect(await check({ path: 'small', length: 3, crc32: crc32('abc'), sha256: null })).toMatchObject({ kind: 'right' });
  expect(await check({ path: 'empty', length: 0, crc32: 0, sha256: null })).toMatchObject({ kind: 'right' });
  expect(await check({ path: 'absent' })).toEqual({ kind: 'absent' });
  const other = (message: RegExp): object => ({ kind: 'other', message: expect.stringMatching(message) as string });
  seen = 0;
  expect(await check({ length: 5 })).toEqual(other(/big has 3,000,001 bytes instead of 5\./));
  // Not a byte is read to find out.
  expect(seen).toBe(0);
  expect(await check({ crc32: 1 })).toEqual(other(/the CRC-32 [0-9a-f]{8} instead of 00000001/));
  expect(await check({ sha256: Buffer.alloc(32) })).toEqual(other(new RegExp(`the SHA-256 ${sha256.toString('hex')} instead of 0{64}`)));
  expect(await check({ crc32: null, sha256: null })).toEqual(other(/gives no checksum/));
  const fd = target.openFinished('big') ?? -1;
  const digest = await digestFile(fd, signal.signal, () => {});
  expect(digestFault({ path: 'big', length: bytes.length, crc32: crc32(bytes), sha256 }, digest)).toBeNull();
  expect(digestFault({ path: 'big', length: 1, crc32: null, sha256: null }, digest)).toMatchObject({ reason: 'length-mismatch' });
  signal.abort(new Error('stopped'));
  await expect(digestFile(fd, signal.signal, () => {})).rejects.toThrow('stopped');
  closeSync(fd);
  target.close();
});

test.runIf(mayMount)('a full disk and a read-only one are told apart', async () => {
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
