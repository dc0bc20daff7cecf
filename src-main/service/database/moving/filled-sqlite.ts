import { chmodSync, existsSync, rmSync } from 'node:fs';
import { StartError } from '../../common/start-error.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import { insertReaders } from '../migrations/early/0009-measurement-access.ts';
import { openSqliteFile, type SqliteConnection } from '../sqlite/sqlite-file.ts';
import { addFolding } from '../text-search.ts';
import { referenceSchema } from './moved-tables.ts';
import { quoted } from './rows.ts';

/**
 * Opens a database that is being filled, or creates it. It has no triggers, which would number
 * measurements anew, and no indexes but those of keys: to sort all rows at the end is faster.
 */
export function openForFilling(file: string): SqliteConnection {
  // A kill while the tables were made leaves nothing of value.
  if (existsSync(file) && !isComplete(file))
    for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
  const connection = openSqliteFile(file);
  chmodSync(file, 0o600);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = NORMAL');
  connection.pragma('wal_autocheckpoint = 8000');
  connection.pragma('foreign_keys = OFF');
  connection.pragma('trusted_schema = OFF');
  addFolding(connection);
  if (!isNewest(connection)) migrate(connection, migrations, '');
  connection
    .transaction(() => {
      for (const { type, name } of extras(connection)) connection.exec(`DROP ${type} ${quoted(name)}`);
    })
    .immediate();
  return connection;
}

function isComplete(file: string): boolean {
  const connection = openSqliteFile(file);
  try {
    return isNewest(connection);
  } finally {
    connection.close();
  }
}

function isNewest(connection: SqliteConnection): boolean {
  return connection.pragma('user_version', { simple: true }) === migrations.at(-1)?.number;
}

interface SchemaObject {
  readonly type: 'index' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

function extras(connection: SqliteConnection): readonly SchemaObject[] {
  return connection
    .prepare<[], SchemaObject>(
      `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type, name`,
    )
    .all();
}

/**
 * Makes indexes, the tables kept by triggers, triggers, and the numbers that ids continue from.
 *
 * @throws StartError when a row refers to one that is not there.
 */
export function finishSqlite(connection: SqliteConnection, highestIds: ReadonlyMap<string, number>): void {
  const schema = referenceSchema();
  const wanted = extras(schema);
  schema.close();
  connection
    .transaction(() => {
      for (const { type, sql } of wanted) if (type === 'index') connection.exec(sql);
      connection.exec(derivedTables);
      for (const { type, sql } of wanted) if (type === 'trigger') connection.exec(sql);
      for (const [table, highest] of highestIds) continueFrom(connection, table, highest);
    })
    .immediate();
  const [broken] = connection.pragma('foreign_key_check') as readonly { readonly table: string }[];
  if (broken) throw new StartError('data-unusable', `A row of ${broken.table} refers to one that does not exist.`);
}

const derivedTables = `
DELETE FROM measurement_search;
INSERT INTO measurement_search (rowid, text) SELECT number, lower(id) || char(10) || title_key FROM measurements;
UPDATE search_fills SET complete = 1;
DELETE FROM measurement_access;
${insertReaders('TRUE')}`;

function continueFrom(connection: SqliteConnection, table: string, highest: number): void {
  const known =
    connection.prepare<[string], number>('SELECT max(seq) FROM sqlite_sequence WHERE name = ?').pluck().get(table) ?? 0;
  if (known >= highest) return;
  connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  connection.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, highest);
}
