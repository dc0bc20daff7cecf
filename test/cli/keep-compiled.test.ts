import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledFolder } from '../../src-main/cli/keep-compiled.ts';

const uid = process.getuid?.() ?? 0;
let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'benchport-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32')('compiled code lies where nobody else can write, or nowhere', () => {
  const folder = path.join(home, '.cache/benchport');
  expect(compiledFolder(home, uid)).toBe(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(compiledFolder(home, uid + 1)).toBeNull();
  for (const shared of [home, path.dirname(folder), folder]) {
    const { mode } = statSync(shared);
    chmodSync(shared, 0o770);
    expect(compiledFolder(home, uid)).toBeNull();
    chmodSync(shared, mode);
  }
  expect(compiledFolder(home, uid)).toBe(folder);
  expect(() => compiledFolder(path.join(home, 'none'), uid)).toThrow(/ENOENT/);
  mkdirSync(path.join(home, 'other'), { mode: 0o777 });
  chmodSync(path.join(home, 'other'), 0o777);
  expect(compiledFolder(path.join(home, 'other'), uid)).toBeNull();
});
