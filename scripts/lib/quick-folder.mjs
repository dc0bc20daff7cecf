// A folder in memory for the tests' files.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const minFreeBytes = 8 * 1024 ** 3;

/**
 * Makes a folder for temporary files in memory: hundreds of services that sync everything to disk
 * before they respond would mostly wait for the disk, and a killed process loses no more and no
 * less there. Undefined if there is no such file system, too little space, or programs cannot run
 * from it.
 */
export function makeQuickFolder() {
  let folder;
  try {
    const { bavail, bsize } = fs.statfsSync(memory);
    if (Math.min(bavail * bsize, os.freemem()) < minFreeBytes) return undefined;
    folder = fs.mkdtempSync(path.join(memory, 'benchport-'));
    // Some tests run as an ordinary user, who must be able to enter the folder.
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
