import type { Reading, Transaction } from './database.ts';
import type { Arguments, Parameters, ReadQuery, WriteQuery } from './query.ts';

/** The first row, or null. */
export function* one<P extends Parameters, Row>(
  query: ReadQuery<P, Row>,
  ...values: Arguments<P>
): Reading<Row | null> {
  return (yield { how: 'one', query, values }) as Row | null;
}

export function* all<P extends Parameters, Row>(
  query: ReadQuery<P, Row>,
  ...values: Arguments<P>
): Reading<readonly Row[]> {
  return (yield { how: 'all', query, values }) as readonly Row[];
}

/** @returns the number of rows written. */
export function* run<P extends Parameters, Row>(
  query: WriteQuery<P, Row>,
  ...values: Arguments<P>
): Transaction<number> {
  return (yield { how: 'run', query, values }) as number;
}

/**
 * Writes many rows: SQLite runs the statement for each, PostgreSQL one statement with all of them, in
 * which they are `rowsOf('@rows', ...)`.
 */
export function* runRows<Row extends object>(query: WriteQuery<Row, never>, rows: readonly Row[]): Transaction<void> {
  if (rows.length > 0) yield { how: 'rows', query, values: [rows] };
}

/** @param query made by `insertId`. @returns the id of the row, or null when none was written. */
export function* inserted<P extends Parameters>(
  query: WriteQuery<P, number>,
  ...values: Arguments<P>
): Transaction<number | null> {
  return (yield { how: 'id', query, values }) as number | null;
}

/** @returns the first row of RETURNING, or null when no row was written. */
export function* returning<P extends Parameters, Row>(
  query: WriteQuery<P, Row>,
  ...values: Arguments<P>
): Transaction<Row | null> {
  return (yield { how: 'one', query, values }) as Row | null;
}

/** @returns all rows of RETURNING; their order is not specified. */
export function* returningAll<P extends Parameters, Row>(
  query: WriteQuery<P, Row>,
  ...values: Arguments<P>
): Transaction<readonly Row[]> {
  return (yield { how: 'all', query, values }) as readonly Row[];
}
