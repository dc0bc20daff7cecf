import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { explainStartFailure } from '../database/explain-start-failure.ts';
import { syncFolder } from '../database/sync-folder.ts';

/**
 * How the last run of the service on a data directory ended; `damaged` when the check after an
 * unclean end found damage.
 */
export type LastEnd = 'clean' | 'unclean' | 'damaged';

const damaged = 'damaged';
const markFile = (dataDir: string): string => path.join(dataDir, 'service.running');

/**
 * Marks the start of a run; the mark is on disk when this returns. The caller must hold the lock of
 * the directory.
 *
 * @returns how the last run ended.
 * @throws StartError
 */
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

/** Marks the database as damaged, so that the next run does not start on it unchecked. */
export function markDamaged(dataDir: string): void {
  write(markFile(dataDir), damaged);
}

/** Marks the database as intact again. */
export function markWhole(dataDir: string): void {
  write(markFile(dataDir), 'running');
}

/** Removes the mark after a clean end: the database is closed. */
export function endRun(dataDir: string): void {
  try {
    rmSync(markFile(dataDir), { force: true });
  } catch {
    // The disk accepts no writes. Because of the remaining mark, the next run checks the database.
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
