import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LogFile, logFiles } from '../../../src-main/service/logging/log-file.ts';

if (process.platform === 'linux') {
  test('a log that cannot be written on a full disk leaves no file open, and resumes with space', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-log-'));
    const [, newer] = logFiles(dir);
    const also: string[] = [];
    const log = new LogFile(dir, { write: (line) => also.push(line) });
    const openOnes = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === '/dev/full';
        } catch {
          return false;
        }
      });
    try {
      mkdirSync(path.dirname(newer));
      symlinkSync('/dev/full', newer);
      for (let number = 0; number < 20; number += 1) log.write(`{"level":50,"number":${number}}\n`);
      expect(openOnes()).toEqual([]);
      rmSync(newer);
      log.write('{"level":50,"number":20}\n');
      expect(readFileSync(newer, 'utf8')).toBe('{"level":50,"number":20}\n');
      expect(also).toHaveLength(21);
    } finally {
      log.close();
      await rm(dir, { recursive: true, force: true });
    }
  });
}
