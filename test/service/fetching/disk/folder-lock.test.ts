import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../../../src-main/service/fetching/disk/folder-lock.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-lock-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('a folder is held once, made when it is not there, and nothing stays of the lock', () => {
  const target = path.join(dir, 'run-1');
  const unlock = lockFolder(target);
  expect(unlock).toBeTypeOf('function');
  expect(lockFolder(target)).toBe('busy');
  expect(lockFolder(path.join(dir, 'run-2'))).toBeTypeOf('function');
  if (typeof unlock === 'function') unlock();
  expect(existsSync(target)).toBe(true);
  expect(existsSync(path.join(target, '.benchport-fetch'))).toBe(false);
  expect(lockFolder(target)).toBeTypeOf('function');
});

test('what cannot be locked is left to whoever writes there: no folder around it, a file or a link in its place', async () => {
  expect(lockFolder(path.join(dir, 'gone', 'run-1'))).toBeNull();
  await writeFile(path.join(dir, 'file'), '');
  expect(lockFolder(path.join(dir, 'file'))).toBeNull();
  await mkdir(path.join(dir, 'elsewhere'));
  await mkdir(path.join(dir, 'run-1'));
  await symlink(path.join(dir, 'elsewhere'), path.join(dir, 'run-1', '.benchport-fetch'));
  expect(lockFolder(path.join(dir, 'run-1'))).toBeNull();
  expect(existsSync(path.join(dir, 'elsewhere', 'journal.db'))).toBe(false);
});
