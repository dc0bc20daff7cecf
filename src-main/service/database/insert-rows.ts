import type { Transaction } from './port/database.ts';
import { write, writeValue, type SqlValue } from './port/query.ts';
import { returningAll, run } from './port/steps.ts';

// Per row, a statement for the most costs half of a statement for one row; one for many more costs more
// again. The sizes between are for PostgreSQL, where each statement is a round trip.
const sizes = [32, 8, 1] as const;

type Row = readonly SqlValue[];

/**
 * The insertion of many rows within a transaction.
 *
 * @param into the statement up to its values, such as `INSERT INTO t (a, b)`.
 * @param columns number of values of a row.
 * @param after what follows the values, such as `ON CONFLICT ...`.
 */
export function insertRows(into: string, columns: number, after = ''): (rows: readonly Row[]) => Transaction<void> {
  const queries = sizes.map((rows) => write<Row>(`${into} VALUES ${placesOf(rows, columns)} ${after}`));
  return function* (rows) {
    for (const { query, values } of statementsOf(queries, rows)) yield* run(query, ...values);
  };
}

/** `insertRows` that returns the ids of the rows, in their order; each is larger than the one before. */
export function insertRowsForIds(into: string, columns: number): (rows: readonly Row[]) => Transaction<number[]> {
  const queries = sizes.map((rows) =>
    writeValue<Row, number>(`${into} VALUES ${placesOf(rows, columns)} RETURNING id`),
  );
  return function* (rows) {
    const ids: number[] = [];
    for (const { query, values } of statementsOf(queries, rows)) {
      const found = yield* returningAll(query, ...values);
      // Rows get their ids in the order of VALUES; that of RETURNING is not specified.
      ids.push(...found.toSorted((a, b) => a - b));
    }
    return ids;
  };
}

function placesOf(rows: number, columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join()})`;
  return Array.from({ length: rows }, () => row).join();
}

/** @param queries of the sizes. */
function* statementsOf<Query>(
  queries: readonly Query[],
  rows: readonly Row[],
): Generator<{ readonly query: Query; readonly values: Row }> {
  let at = 0;
  for (const [place, query] of queries.entries())
    for (const size = sizes[place] ?? 1; at + size <= rows.length; at += size)
      yield { query, values: rows.slice(at, at + size).flat() };
}
