// A folder in memory for what the tests write.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const least = 8 * 1024 ** 3;

/**
 * Makes a folder for temporary files in memory: hundreds of services that each put everything on disk before they answer would mostly wait for the disk,
 * and what is killed there loses no less and no more. Undefined where there is no such place, too little room, or where programs may not run.
 */
export function makeQuickFolder() {
  let folder;
  try {
    const { bavail, bsize } = fs.statfsSync(memory);
    if (Math.min(bavail * bsize, os.freemem()) < least) return undefined;
    folder = fs.mkdtempSync(path.join(memory, 'benchport-'));
    // Some tests play an ordinary user, who has to get through.
    fs.chmodSync(folder, 0o711);
    const program = path.join(folder, 'program');
    fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(program);
    return folder;
  } catch {
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
