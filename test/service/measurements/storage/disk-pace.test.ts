import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { DiskPace } from '../../../../src-main/service/measurements/storage/disk-pace.ts';

test('a folder that was not there when the service looked is looked at again', async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'benchport-pace-'));
  const began = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(began);
  try {
    const pace = new DiskPace(path.join(dir, 'mount'));
    const local = new DiskPace(dir);
    await expect.poll(() => local.blocking).toBe(true);
    expect(pace.blocking).toBe(false);
    mkdirSync(path.join(dir, 'mount'));
    expect(pace.blocking).toBe(false);
    clock.mockReturnValue(began + 11_000);
    await expect.poll(() => pace.blocking).toBe(true);
  } finally {
    clock.mockRestore();
    rmSync(dir, { recursive: true });
  }
});
