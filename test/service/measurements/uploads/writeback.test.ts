import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Writeback } from '../../../../src-main/service/measurements/uploads/members/writeback.ts';

const mebibyte = 1024 * 1024;

test('a failure of the disk is told by every end after it, because the disk tells it once', async () => {
  const writeback = new Writeback();
  const notAFile = 9999;
  writeback.follow(notAFile, 32 * mebibyte);
  await expect(writeback.end()).rejects.toThrow('EBADF');
  await expect(writeback.end()).rejects.toThrow('EBADF');
});

test('nothing is begun below 32 MiB, and each file counts from its beginning', async () => {
  const writeback = new Writeback();
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
