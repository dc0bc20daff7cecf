import Database from 'better-sqlite3';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { explainStartFailure } from './explain-start-failure.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { tellFailedReturns } from './returned-rows.ts';
import { addFolding } from './text-search.ts';

/**
 * Opens the database of a data directory, creating and migrating it when needed. WAL with
 * `synchronous=FULL`: data of a 2xx answer is on disk (SQLite, "PRAGMA synchronous").
 *
 * @throws StartError `data-unusable` or `data-newer`, with a line that says what to do.
 */
export function openDatabase(dataDir: string): Database.Database {
  const file = path.join(dataDir, 'benchport.db');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const database = new Database(file, { timeout: 5000 });
    tellFailedReturns(database);
    addFolding(database);
    try {
      chmodSync(file, 0o600);
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      // 8 MB. Every checkpoint blocks the event loop until it is on disk; with twice the usual
      // length there are half as many, of less in total.
      database.pragma('wal_autocheckpoint = 2000');
      database.pragma('foreign_keys = ON');
      database.pragma('trusted_schema = OFF');
      migrate(database, migrations, path.join(dataDir, 'backups'));
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}

/**
 * Whether the database of a data directory exists and has the newest tables, so that opening it
 * changes nothing.
 */
export function isUpToDate(dataDir: string): boolean {
  const file = path.join(dataDir, 'benchport.db');
  if (!existsSync(file)) return false;
  try {
    const database = new Database(file, { readonly: true, timeout: 5000 });
    try {
      return database.pragma('user_version', { simple: true }) === migrations.at(-1)?.number;
    } finally {
      database.close();
    }
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}
