import { lstatSync, mkdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { openSqliteFile, type SqliteConnection } from '../../database/sqlite/sqlite-file.ts';
import { errorCode } from '../../common/error-code.ts';
import { journalName } from '../engine/journal-name.ts';

/**
 * Locks a folder against other fetching processes with SQLite's exclusive lock on the journal file
 * that `benchport download` uses as well. The operating system releases it however the process
 * ends. Missing folders are created.
 *
 * @returns a function that releases the lock; `busy` if another process holds it; null if the
 * folder cannot be locked, in which case writing to it reports the fault.
 */
export function lockFolder(target: string): (() => void) | 'busy' | null {
  const [folder, file] = [
    path.join(target, journalName.folder),
    path.join(target, journalName.folder, journalName.file),
  ];
  let database: SqliteConnection | null = null;
  try {
    for (const one of [target, folder]) makeFolder(one);
    if (!lstatSync(folder).isDirectory()) return null;
    database = openSqliteFile(file, { timeout: 0 });
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (errorCode(error).startsWith('SQLITE_BUSY')) return 'busy';
    removeEmpty(folder, file);
    return null;
  }
  return () => {
    database.close();
    removeEmpty(folder, file);
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Removes a journal that only served as a lock. A non-empty one belongs to an interrupted download
 * and stays.
 */
function removeEmpty(folder: string, file: string): void {
  try {
    if (statSync(file).size > 0) return;
    unlinkSync(file);
    rmdirSync(folder);
  } catch {
    // The journal is in use, or the folder has other content.
  }
}
