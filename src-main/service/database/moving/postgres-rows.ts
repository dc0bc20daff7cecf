import type { Client } from 'pg';
import { connectTimeoutMs } from '../postgres/pools.ts';
import { arrayTypes, binaryArray } from './binary-arrays.ts';
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

const bigint = 20;
const numeric = 1700;
const settings = {
  lock_timeout: '10s',
  // Of what the user or the server may set: a page, or what lies between two, may take long.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // The order of pages is that of the primary key, also before PostgreSQL knows how large a table is.
  enable_seqscan: 'off',
  enable_sort: 'off',
  enable_bitmapscan: 'off',
  // A kill of PostgreSQL loses the last second, which is copied again; the end of a move waits for the disk.
  synchronous_commit: 'off',
};

/** A connection of its own, without a limit of time for a statement. */
export async function connectForMove(url: string): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    application_name: 'benchport migrate-to',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary'): ((value: string) => unknown) =>
        id === bigint || id === numeric ? Number : pg.types.getTypeParser(id, format),
    },
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // A connection that is lost fails its next query too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The query for the rows after a key. Rows are measured before they are sent, and a page ends with the one that makes it full. */
function pageQuery(table: MovedTable, shape: RowShape, isFirst: boolean): string {
  const key = keyColumns(table);
  const after = isFirst ? '' : `WHERE (${key}) > (${table.key.map((_, at) => `$${at + 1}`).join()})`;
  const page = `SELECT * FROM ${quoted(table.name)} ${after} ORDER BY ${key} LIMIT ${maxPageRows}`;
  const columns = shownColumns(table, shape, 'octet_length');
  const long = table.columns.filter(({ kind }) => kind !== 'integer' && shape === 'values');
  if (long.length === 0) return `SELECT ${columns.join()} FROM (${page}) AS page ORDER BY ${key}`;
  const octets = long.map(({ name }) => `coalesce(octet_length(${quoted(name)}), 0)`).join(' + ');
  return `SELECT ${columns.join()} FROM (
      SELECT *, sum(${octets}) OVER (ORDER BY ${key} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS octets_before
      FROM (${page}) AS page
    ) AS measured WHERE octets_before IS NULL OR octets_before < ${maxPageBytes} ORDER BY ${key}`;
}

/** Reads a table page by page; the next page is on its way while the caller works on one. */
export async function* postgresPages(
  connection: Client,
  table: MovedTable,
  after: Row | null,
  shape: RowShape = 'values',
): AsyncGenerator<readonly Row[]> {
  const read = async (last: Row | null): Promise<readonly Row[]> => {
    const { rows } = await connection.query({
      name: `page ${table.name} ${shape} ${last === null}`,
      text: pageQuery(table, shape, last === null),
      values: last === null ? [] : [...last],
      rowMode: 'array',
    });
    return rows as readonly Row[];
  };
  for (let coming = read(after); ;) {
    const rows = await coming;
    const end = rows.at(-1);
    if (!end) return;
    coming = read(keyOf(table, end));
    // It is awaited later, or never when the caller stops.
    coming.catch(() => undefined);
    yield rows;
  }
}

/** The key of the last row; null for an empty table. */
export async function lastPostgresKey(connection: Client, table: MovedTable): Promise<Row | null> {
  const descending = table.key.map((at) => `${quoted(table.columns[at]?.name ?? '')} DESC`).join(', ');
  const { rows } = await connection.query({
    text: `SELECT ${keyColumns(table)} FROM ${quoted(table.name)} ORDER BY ${descending} LIMIT 1`,
    rowMode: 'array',
  });
  return (rows as readonly Row[])[0] ?? null;
}

/** Inserts rows with one statement. */
export async function insertPostgresRows(connection: Client, table: MovedTable, rows: readonly Row[]): Promise<void> {
  const arrays = table.columns.map(({ kind }, at) => `$${at + 1}::${arrayTypes[kind].type}[]`);
  await connection.query({
    name: `insert ${table.name}`,
    text: `INSERT INTO ${quoted(table.name)} (${columnNames(table).join()}) SELECT * FROM unnest(${arrays.join()})`,
    values: table.columns.map((column, at) => binaryArray(column, at, rows)),
  });
}
