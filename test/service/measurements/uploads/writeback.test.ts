import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Writeback } from '../../../../src-main/service/measurements/uploads/members/writeback.ts';

const mebibyte = 1024 * 1024;

test('a failure of the disk is told by every end after it, because the disk tells it once', async () => {
  const writeback = new Writeback({ isTaken: false });
  const notAFile = 9999;
  writeback.follow(notAFile, 32 * mebibyte);
  await expect(writeback.end()).rejects.toThrow('EBADF');
  await expect(writeback.end()).rejects.toThrow('EBADF');
});

test('nothing is begun below 32 MiB, and each file counts from its beginning', async () => {
  const writeback = new Writeback({ isTaken: false });
  const dir = mkdtempSync(path.join(os.tmpdir(), 'benchport-writeback-'));
  const fd = openSync(path.join(dir, 'file'), 'w');
  writeSync(fd, 'bytes');
  writeback.follow(fd, 40 * mebibyte);
  await writeback.end();
  closeSync(fd);
  rmSync(dir, { recursive: true });
  // A sync of the closed file would fail.
  writeback.follow(fd, 31 * mebibyte);
  await writeback.end();
});

test('one sync is begun at once for all files, and a file is closed after its own', async () => {
  const slot = { isTaken: false };
  const [first, second] = [new Writeback(slot), new Writeback(slot)];
  const fd = openSync(import.meta.filename, 'r');
  first.follow(fd, 40 * mebibyte);
  expect(slot.isTaken).toBe(true);
  // It would fail.
  second.follow(9999, 40 * mebibyte);
  await second.end();
  first.close(fd);
  expect(fstatSync(fd).isFile()).toBe(true);
  await first.end();
  await new Promise(setImmediate);
  expect(slot.isTaken).toBe(false);
  expect(() => fstatSync(fd)).toThrow('EBADF');
});
