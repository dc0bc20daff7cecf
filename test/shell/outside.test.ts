import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { rateLimit } from '../../src-main/shell/files/rate-limit.ts';
import { nearestPath } from '../../src-main/shell/files/nearest-path.ts';

it('E09 a few addresses are opened in a period, and refused ones do not prolong it', () => {
  let now = 0;
  const isAllowed = rateLimit(3, 5_000, () => now);
  expect([isAllowed(), isAllowed(), isAllowed(), isAllowed(), isAllowed()]).toEqual([true, true, true, false, false]);
  now = 4_999;
  expect(isAllowed()).toBe(false);
  now = 5_000;
  expect([isAllowed(), isAllowed(), isAllowed(), isAllowed()]).toEqual([true, true, true, false]);
});

it('E07 a file to be shown in its folder must exist, and a file has no contents', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-near-'));
  try {
    const file = path.join(folder, 'starts.desktop');
    await fs.writeFile(file, '');
    const link = path.join(folder, 'leads-nowhere');
    await fs.symlink(path.join(folder, 'gone'), link);
    expect(await nearestPath(file)).toBe(file);
    expect(await nearestPath(link)).toBe(link);
    expect(await nearestPath(path.join(file, 'x'))).toBe(file);
    expect(await nearestPath(path.join(folder, 'gone', 'with', 'all'))).toBe(folder);
    expect(await nearestPath(path.parse(folder).root)).toBe(path.parse(folder).root);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
});
