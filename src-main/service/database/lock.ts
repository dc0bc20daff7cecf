import Database from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../common/error-code.ts';
import { StartError } from '../common/start-error.ts';
import { explainStartFailure } from './explain-start-failure.ts';

/**
 * Holds the data directory for one service. The lock is SQLite's own exclusive lock on a file of its own:
 * the operating system drops it however the process ends, so a kill leaves no stale lock behind.
 * The command line's admin commands do not take it; they write through the database's own locking.
 *
 * @returns the function that lets go.
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

// Whoever may read the file may hold a lock on it, with which no service would start. Not opened when it is there: closing it would let go of a lock of this process.
function keepFromOthers(file: string): void {
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, 'a', 0o600));
}
