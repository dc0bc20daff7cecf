import type { SqliteMigration } from './migrations/early/migration.ts';
import type Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../common/start-error.ts';
import { addFolding } from './text-search.ts';

/**
 * Migrates the database to the newest version. Each migration runs in one transaction with its
 * version number, so that a kill in the middle leaves the previous version. A database that holds
 * data is copied to `backups/` first.
 *
 * @throws StartError `data-newer` when a later Benchport wrote the database.
 */
export function migrate(database: Database.Database, migrations: readonly SqliteMigration[], backupDir: string): void {
  addFolding(database);
  const version = versionOf(database);
  const newest = migrations.at(-1)?.number ?? 0;
  if (version > newest) {
    throw new StartError(
      'data-newer',
      `The data directory was written by a newer Benchport (database version ${version}; this program supports up to ${newest}). Install the newer program, or restore a backup.`,
    );
  }
  const pending = migrations.filter((migration) => migration.number > version);
  if (pending.length === 0) return;
  if (version > 0) backUp(database, backupDir, version);
  for (const migration of pending) {
    database
      .transaction(() => {
        // Another process that opened the database at this moment may have been faster.
        if (versionOf(database) >= migration.number) return;
        database.exec(migration.sql);
        database.pragma(`user_version = ${migration.number}`);
      })
      .immediate();
  }
}

/**
 * A plain copy after a full checkpoint: the caller holds the only connection and the lock on the
 * directory.
 */
function backUp(database: Database.Database, backupDir: string, version: number): void {
  mkdirSync(backupDir, { recursive: true, mode: 0o700 });
  database.pragma('wal_checkpoint(TRUNCATE)');
  const target = path.join(backupDir, `before-migration-from-${version}.db`);
  if (existsSync(target)) return;
  // A partial copy must never have the name of a backup.
  copyFileSync(database.name, `${target}.partial`);
  renameSync(`${target}.partial`, target);
}

function versionOf(database: Database.Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}
