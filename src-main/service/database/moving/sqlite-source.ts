import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../common/start-error.ts';
import { explainStartFailure } from '../explain-start-failure.ts';
import { lockDataDirectory } from '../lock.ts';
import { migrations } from '../migrations/all.ts';
import { openSqliteFile, type SqliteConnection } from '../sqlite/sqlite-file.ts';
import { readDataMark, writeDataMark } from './data-mark.ts';
import { quoted } from './rows.ts';
import type { MoveSource } from './sides.ts';
import { sqlitePages } from './sqlite-rows.ts';

const busyTimeoutMs = 5000;

/**
 * The SQLite database of a data directory that data are moved from. A service cannot start on it
 * until it is closed.
 *
 * @throws StartError when a service uses it, and when it is missing or has another version.
 */
export async function openSqliteSource(dataDir: string): Promise<MoveSource> {
  const file = path.join(dataDir, 'benchport.db');
  if (!existsSync(file)) throw new StartError('data-unusable', `There is no database in ${dataDir}.`);
  const unlock = lockDataDirectory(dataDir);
  try {
    const connection = openSqliteFile(file, { timeout: busyTimeoutMs });
    try {
      refuseOtherVersion(connection, dataDir);
    } catch (error) {
      connection.close();
      throw error;
    }
    return sourceOf(connection, dataDir, unlock);
  } catch (error) {
    unlock();
    throw explainStartFailure(error, dataDir);
  }
}

function sourceOf(connection: SqliteConnection, dataDir: string, unlock: () => void): MoveSource {
  return {
    shown: `sqlite:${dataDir}`,
    readMark: async () => readDataMark(dataDir),
    writeMark: async (mark) => writeDataMark(dataDir, mark),
    // One state of the database, and no command writes meanwhile.
    hold: async () => void connection.exec('BEGIN IMMEDIATE'),
    bytes: async () => (await stat(connection.name)).size,
    count: async (table) =>
      connection
        .prepare<[], number>(`SELECT count(*) FROM ${quoted(table)}`)
        .pluck()
        .get() ?? 0,
    highestId: async (name) =>
      connection.prepare<[string], number>('SELECT max(seq) FROM sqlite_sequence WHERE name = ?').pluck().get(name) ??
      0,
    pages: (table, after, shape) => sqlitePages(connection, table, after, shape),
    close: async () => {
      connection.close();
      unlock();
    },
  };
}

function refuseOtherVersion(connection: SqliteConnection, dataDir: string): void {
  const version = connection.pragma('user_version', { simple: true }) as number;
  const newest = migrations.at(-1)?.number ?? 0;
  if (version > newest)
    throw new StartError(
      'data-newer',
      `The data directory was written by a newer Benchport (database version ${version}; this program supports up to ${newest}). Install the newer program.`,
    );
  if (version < newest)
    throw new StartError(
      'data-unusable',
      `The data directory ${dataDir} was written by an older Benchport (database version ${version}; this program needs ${newest}). Run "benchport user list --data ${dataDir}" once, which upgrades it.`,
    );
}
