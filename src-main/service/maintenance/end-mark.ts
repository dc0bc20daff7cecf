import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { explainStartFailure } from '../database/explain-start-failure.ts';
import { syncFolder } from '../database/sync-folder.ts';

/** How the last run of the service on a data directory ended. `damaged`: what was found after one that was not ended. */
export type LastEnd = 'clean' | 'unclean' | 'damaged';

const damaged = 'damaged';
const markFile = (dataDir: string): string => path.join(dataDir, 'service.running');

/** Says that a run begins; the mark is on disk when this returns. Only who holds the lock of the directory may call it. @returns how the last one ended. @throws StartError */
export function beginRun(dataDir: string): LastEnd {
  const file = markFile(dataDir);
  try {
    if (existsSync(file)) return readFileSync(file, 'utf8').startsWith(damaged) ? 'damaged' : 'unclean';
    write(file, 'running');
    return 'clean';
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}

/** Says that the database was found damaged, so that the next run does not begin on it unchecked. */
export function markDamaged(dataDir: string): void {
  write(markFile(dataDir), damaged);
}

/** Says that the database was found whole again. */
export function markWhole(dataDir: string): void {
  write(markFile(dataDir), 'running');
}

/** Says that the run has ended cleanly: the database is closed. */
export function endRun(dataDir: string): void {
  try {
    rmSync(markFile(dataDir), { force: true });
  } catch {
    // The disk takes nothing any more. With the mark that stays, the next run looks whether the database is whole.
  }
}

function write(file: string, text: string): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    writeSync(descriptor, `${text}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(path.dirname(file));
}
