import { setImmediate } from 'node:timers/promises';
import type { SqliteConnection, SqliteStatement } from '../sqlite/sqlite-file.ts';
import type { MovedTable } from './moved-tables.ts';
import {
  columnNames,
  keyColumns,
  keyOf,
  maxPageBytes,
  maxPageRows,
  quoted,
  shownColumns,
  type Row,
  type RowShape,
} from './rows.ts';

/** The query for the rows after a key. */
export function pageQuery(table: MovedTable, shape: RowShape, isFirst: boolean): string {
  const columns = shownColumns(table, shape, 'length');
  const key = keyColumns(table);
  const after = isFirst ? '' : `WHERE (${key}) > (${table.key.map(() => '?').join()})`;
  return `SELECT ${columns.join()} FROM ${quoted(table.name)} ${after} ORDER BY ${key} LIMIT ${maxPageRows}`;
}

/** Reads a table of SQLite page by page; between two pages other work of the event loop runs. */
export async function* sqlitePages(
  connection: SqliteConnection,
  table: MovedTable,
  after: Row | null,
  shape: RowShape = 'values',
): AsyncGenerator<readonly Row[]> {
  const first = connection.prepare(pageQuery(table, shape, true)).raw();
  const next = connection.prepare(pageQuery(table, shape, false)).raw();
  for (let last = after; ;) {
    const rows = last === null ? takePage(first, []) : takePage(next, last);
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    last = keyOf(table, end);
    await setImmediate();
  }
}

function takePage(statement: SqliteStatement, values: Row): readonly Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...values) as IterableIterator<Row>) {
    rows.push(row);
    for (const value of row) bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
    if (bytes >= maxPageBytes) break;
  }
  return rows;
}

/** The key of the last row; null for an empty table. */
export function lastSqliteKey(connection: SqliteConnection, table: MovedTable): Row | null {
  const key = keyColumns(table);
  const descending = table.key.map((at) => `${quoted(table.columns[at]?.name ?? '')} DESC`).join(', ');
  const row = connection
    .prepare(`SELECT ${key} FROM ${quoted(table.name)} ORDER BY ${descending} LIMIT 1`)
    .raw()
    .get() as Row | undefined;
  return row ?? null;
}

/** Inserts rows in one transaction. */
export function insertSqliteRows(connection: SqliteConnection, table: MovedTable, rows: readonly Row[]): void {
  const insert = connection.prepare(
    `INSERT INTO ${quoted(table.name)} (${columnNames(table).join()}) VALUES (${table.columns.map(() => '?').join()})`,
  );
  connection
    .transaction(() => {
      for (const row of rows) insert.run(...row);
    })
    .immediate();
}
