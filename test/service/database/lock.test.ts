import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockDataDirectory } from '../../../src-main/service/database/lock.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'benchport-lock-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const permissions = () => statSync(path.join(dataDir, 'service.lock')).mode & 0o777;

// Anyone who can read a file can lock it, so in a directory open to others they could keep the
// service from starting.
test.skipIf(process.platform === 'win32')(
  'the file of the lock is its owner’s alone, also one that is there already',
  () => {
    chmodSync(dataDir, 0o755);
    lockDataDirectory(dataDir)();
    expect(permissions()).toBe(0o600);
    chmodSync(path.join(dataDir, 'service.lock'), 0o644);
    const letGo = lockDataDirectory(dataDir);
    expect(permissions()).toBe(0o600);
    expect(() => lockDataDirectory(dataDir)).toThrow('Another Benchport service');
    letGo();
  },
);
