import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { explainStartFailure } from '../explain-start-failure.ts';
import { lockDataDirectory } from '../lock.ts';
import { syncFolder } from '../sync-folder.ts';
import { readDataMark, syncFile, writeDataMark } from './data-mark.ts';
import { finishSqlite, openForFilling } from './filled-sqlite.ts';
import { openSqliteFile, type SqliteConnection } from '../sqlite/sqlite-file.ts';
import type { MoveTarget } from './sides.ts';
import { insertSqliteRows, lastSqliteKey, sqlitePages } from './sqlite-rows.ts';

/**
 * A data directory that data are moved to, as a SQLite database. It gets its name when it is
 * complete.
 *
 * @throws StartError when a service uses the directory.
 */
export async function openSqliteTarget(dataDir: string, mayCreate: boolean): Promise<MoveTarget> {
  if (!existsSync(dataDir) && !mayCreate) return targetOf(dataDir, () => undefined);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return targetOf(dataDir, lockDataDirectory(dataDir));
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}

function targetOf(dataDir: string, unlock: () => void): MoveTarget {
  const file = path.join(dataDir, 'benchport.db');
  const work = `${file}.moving`;
  let opened: SqliteConnection | null = null;
  const filling = (): SqliteConnection => (opened ??= openForFilling(work));
  const closeDatabase = (): void => {
    opened?.close();
    opened = null;
  };
  return {
    shown: `sqlite:${dataDir}`,
    engine: 'sqlite',
    readMark: async () => readDataMark(dataDir),
    writeMark: async (mark) => writeDataMark(dataDir, mark),
    isInPlace: async () => existsSync(file),
    refusal: async () =>
      existsSync(file)
        ? `There is a database in ${dataDir} already. Name another folder, or move ${file} away first.`
        : null,
    prepare: async () => void filling(),
    pages: (table, after, shape) => sqlitePages(filling(), table, after, shape),
    lastKey: async (table) => lastSqliteKey(filling(), table),
    insert: async (table, rows) => insertSqliteRows(filling(), table, rows),
    finish: async (highestIds) => finishSqlite(filling(), highestIds),
    addSetting: async (key, value) => {
      const connection = openSqliteFile(file);
      connection
        .prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING')
        .run(key, value);
      connection.close();
    },
    putInPlace: async () => {
      filling().pragma('wal_checkpoint(TRUNCATE)');
      closeDatabase();
      syncFile(work);
      renameSync(work, file);
      syncFolder(dataDir);
    },
    clear: async () => {
      closeDatabase();
      for (const ending of ['', '-wal', '-shm']) rmSync(`${work}${ending}`, { force: true });
    },
    close: async () => {
      closeDatabase();
      unlock();
    },
  };
}
