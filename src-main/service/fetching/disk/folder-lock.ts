import Database from 'better-sqlite3';
import { lstatSync, mkdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { journalName } from '../engine/journal-name.ts';

/**
 * Keeps other processes from fetching into a folder: `benchport download` holds its journal there by SQLite's exclusive lock, and so does this, on the same
 * file. The operating system drops it however the process ends. Both folders are made when they are not there.
 *
 * @returns the function that lets go; `busy` when another process holds it, null when it cannot be locked: then whatever is wrong with the folder is
 * found by whoever writes to it.
 */
export function lockFolder(target: string): (() => void) | 'busy' | null {
  const [folder, file] = [
    path.join(target, journalName.folder),
    path.join(target, journalName.folder, journalName.file),
  ];
  let database: Database.Database | null = null;
  try {
    for (const one of [target, folder]) makeFolder(one);
    if (!lstatSync(folder).isDirectory()) return null;
    database = new Database(file, { timeout: 0 });
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

/** A journal that was made for the lock alone holds nothing; one of a download that was stopped stays. */
function removeEmpty(folder: string, file: string): void {
  try {
    if (statSync(file).size > 0) return;
    unlinkSync(file);
    rmdirSync(folder);
  } catch {
    // It is in use, or there is something else in it.
  }
}
