import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import { openSqliteFile, type SqliteConnection } from '../sqlite/sqlite-file.ts';

export type ValueKind = 'integer' | 'text' | 'bytes';

export interface MovedColumn {
  readonly name: string;
  readonly kind: ValueKind;
  /** PostgreSQL limits the length of what is in an index. */
  readonly indexed: boolean;
}

/** A table that both engines have with the same columns. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** Places of the columns of the primary key, in its order. */
  readonly key: readonly number[];
  /** Whether ids of removed rows are never given again (AUTOINCREMENT). */
  readonly numbered: boolean;
}

const ofTheWindow = 'belongs to the download manager of the desktop window, which a facility does not have';
const derived = 'is made anew from the other tables';
const ofReplicas = 'is about running processes';
const unfinished = 'what is still being uploaded does not move';

/** The tables that do not move, and why. */
export const leftBehind: Readonly<Record<string, string>> = {
  fetches: ofTheWindow,
  fetch_files: ofTheWindow,
  fetch_log: ofTheWindow,
  fetch_pieces: ofTheWindow,
  remote_servers: ofTheWindow,
  copies: ofTheWindow,
  capture_rules: ofTheWindow,
  capture_runs: ofTheWindow,
  capture_history: ofTheWindow,
  receipt_issuers: ofTheWindow,
  measurement_access: derived,
  measurement_search: derived,
  search_fills: derived,
  replicas: ofReplicas,
  leases: ofReplicas,
  outbox: ofReplicas,
  uploads: unfinished,
  upload_parts: unfinished,
};

/** Whether people may miss the rows of a table that does not move. */
export function isMissed(table: string): boolean {
  return leftBehind[table] === ofTheWindow;
}

/** The tables of this program's version, in memory and empty. */
export function referenceSchema(): SqliteConnection {
  const connection = openSqliteFile(':memory:');
  migrate(connection, migrations, '');
  return connection;
}

/** The tables that move, each after those that its rows refer to. */
export function movedTables(): readonly MovedTable[] {
  const schema = referenceSchema();
  try {
    const names = ordinaryTables(schema).filter((name) => !(name in leftBehind));
    return inOrderOfReferences(schema, names).map((name) => describe(schema, name));
  } finally {
    schema.close();
  }
}

/** All tables but those of SQLite and of virtual tables. */
export function ordinaryTables(schema: SqliteConnection): readonly string[] {
  return schema
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .pluck()
    .all();
}

function inOrderOfReferences(schema: SqliteConnection, names: readonly string[]): readonly string[] {
  const referred = schema.prepare<[string], string>('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)').pluck();
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    if (ordered.has(name)) return;
    for (const other of referred.all(name)) if (other !== name) visit(other);
    ordered.add(name);
  };
  for (const name of names) visit(name);
  return [...ordered];
}

const kinds: Readonly<Record<string, ValueKind>> = { INTEGER: 'integer', TEXT: 'text', BLOB: 'bytes' };

function describe(schema: SqliteConnection, name: string): MovedTable {
  const columns = schema
    .prepare<[string], { name: string; type: string; pk: number }>('SELECT name, type, pk FROM pragma_table_info(?)')
    .all(name);
  const indexed = new Set(
    schema
      .prepare<[string], string>(
        'SELECT c.name FROM pragma_index_list(?) AS i JOIN pragma_index_info(i.name) AS c WHERE c.name IS NOT NULL',
      )
      .pluck()
      .all(name),
  );
  const sql = schema.prepare<[string], string>(`SELECT sql FROM sqlite_schema WHERE name = ?`).pluck().get(name) ?? '';
  return {
    name,
    columns: columns.map((column) => {
      const kind = kinds[column.type];
      if (!kind) throw new Error(`${name}.${column.name} has the type ${column.type}, which cannot be moved`);
      return { name: column.name, kind, indexed: indexed.has(column.name) };
    }),
    key: columns
      .map(({ pk }, at) => ({ pk, at }))
      .filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk)
      .map(({ at }) => at),
    numbered: sql.includes('AUTOINCREMENT'),
  };
}
