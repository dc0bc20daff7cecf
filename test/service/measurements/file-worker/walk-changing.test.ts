import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walkFolder } from '../../../../src-main/service/measurements/file-worker/walk.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'benchport-walk-'));
  await mkdir(path.join(root, 'data'));
  await writeFile(path.join(root, 'data/a.raw'), 'a');
});
afterEach(async () => rm(root, { recursive: true, force: true }));

test('a folder that is gone once it was listed is refused as one that changes', () => {
  const lose = () => rmSync(path.join(root, 'data'), { recursive: true, force: true });
  const { files, refusals, isChanging } = walkFolder(root, () => false, lose);
  expect(files).toEqual([]);
  expect(refusals.shown).toEqual(['data/: it is not there']);
  expect(isChanging).toBe(true);
});

test('a name that cannot be registered is no sign of a change', async () => {
  await symlink('data/a.raw', path.join(root, 'link'));
  const { refusals, isChanging } = walkFolder(
    root,
    () => false,
    () => {},
  );
  expect(refusals.total).toBe(1);
  expect(isChanging).toBe(false);
});
