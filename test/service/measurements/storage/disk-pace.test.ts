import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { SyncIoPolicy } from '../../../../src-main/service/measurements/storage/sync-io-policy.ts';

test('a folder that was missing when the service looked is checked again', async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'benchport-pace-'));
  const began = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(began);
  try {
    const pace = new SyncIoPolicy(path.join(dir, 'mount'));
    const local = new SyncIoPolicy(dir);
    await expect.poll(() => local.allowed).toBe(true);
    expect(pace.allowed).toBe(false);
    mkdirSync(path.join(dir, 'mount'));
    expect(pace.allowed).toBe(false);
    clock.mockReturnValue(began + 11_000);
    await expect.poll(() => pace.allowed).toBe(true);
  } finally {
    clock.mockRestore();
    rmSync(dir, { recursive: true });
  }
});
