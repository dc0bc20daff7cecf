import Database from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../common/error-code.ts';
import { StartError } from '../common/start-error.ts';
import { explainStartFailure } from './explain-start-failure.ts';

/**
 * Locks the data directory for one service, by SQLite's exclusive lock on a separate file: the
 * operating system releases it however the process ends, so a kill leaves no stale lock. The
 * command line's admin commands do not take it; they write through the database's own locking.
 *
 * @returns a function that releases the lock.
 * @throws StartError `data-in-use` when another service holds it.
 */
export function lockDataDirectory(dataDir: string): () => void {
  const lock = openLockFile(dataDir);
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (errorCode(error).startsWith('SQLITE_BUSY')) {
      throw new StartError(
        'data-in-use',
        `Another Benchport service is using the data directory ${dataDir}. Stop it, or choose another one with --data.`,
        {
          cause: error,
        },
      );
    }
    throw explainStartFailure(error, dataDir);
  }
  return () => lock.close();
}

function openLockFile(dataDir: string): Database.Database {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const file = path.join(dataDir, 'service.lock');
    keepFromOthers(file);
    return new Database(file, { timeout: 0 });
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}

// A user who may read the file could lock it, and no service would start. An existing file is not
// opened, because closing it would release a lock of this process.
function keepFromOthers(file: string): void {
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, 'a', 0o600));
}
