import type { ClientBase } from 'pg';
import { StartError } from '../../common/start-error.ts';
import { sharedMigrations } from '../migrations/all.ts';
import { baseline, baselineNumber } from './baseline/baseline.ts';

// Any number that no other program locks in this database.
const migrationLock = 7_420_001;

/** Versions of the tables before and after a migration; 0 for a database without tables. */
export interface MigrationResult {
  readonly before: number;
  readonly after: number;
}

/** The number of the newest schema that this program knows. */
export function newestSchema(): number {
  return Math.max(baselineNumber, sharedMigrations.at(-1)?.number ?? 0);
}

/**
 * Creates or upgrades the tables of a PostgreSQL database. Each migration is one transaction with
 * its number; of several programs at once one migrates and the others wait.
 *
 * @throws StartError `data-newer` when a later Benchport wrote the database, `data-unusable` when
 * its encoding is not UTF-8.
 */
export async function migratePostgres(url: string): Promise<MigrationResult> {
  const { default: pg } = await import('pg');
  const connection = new pg.Client({ connectionString: url, application_name: 'benchport migrate' });
  await connection.connect();
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await checkEncoding(connection);
    const before = await schemaVersion(connection);
    refuseNewer(before);
    if (before === 0) await apply(connection, baselineNumber, baseline);
    for (const { number, postgres } of sharedMigrations)
      if (number > Math.max(before, baselineNumber)) await apply(connection, number, postgres);
    return { before, after: newestSchema() };
  } finally {
    await connection.end();
  }
}

/** The number of the last migration; 0 for a database without tables of ours. */
export async function schemaVersion(connection: Pick<ClientBase, 'query'>): Promise<number> {
  const table = await connection.query<{ there: boolean }>(`SELECT to_regclass('schema_version') IS NOT NULL AS there`);
  if (!table.rows[0]?.there) return 0;
  const { rows } = await connection.query<{ version: number | string }>('SELECT version FROM schema_version');
  return Number(rows[0]?.version ?? 0);
}

/** @throws StartError `data-newer`. */
export function refuseNewer(version: number): void {
  const newest = newestSchema();
  if (version > newest)
    throw new StartError(
      'data-newer',
      `The database was written by a newer Benchport (database version ${version}; this program supports up to ${newest}). Install the newer program.`,
    );
}

async function apply(connection: ClientBase, number: number, sql: string): Promise<void> {
  await connection.query('BEGIN');
  try {
    await connection.query(sql);
    await connection.query('CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)');
    await connection.query('DELETE FROM schema_version');
    await connection.query('INSERT INTO schema_version VALUES ($1)', [number]);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK');
    throw error;
  }
}

/** @throws StartError `data-unusable` unless the encoding is UTF-8. */
export async function checkEncoding(connection: ClientBase): Promise<void> {
  const { rows } = await connection.query<{ server_encoding: string }>('SHOW server_encoding');
  if (rows[0]?.server_encoding !== 'UTF8')
    throw new StartError(
      'data-unusable',
      `The database has the encoding ${rows[0]?.server_encoding}. Create it with ENCODING 'UTF8'.`,
    );
}
