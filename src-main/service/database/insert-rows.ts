import type { Transaction } from './port/database.ts';
import { write, writeValue, type SqlValue } from './port/query.ts';
import { returningAll, run } from './port/steps.ts';

// Per row, a statement for this many costs half of a statement for one row; one for many more costs
// more again.
const rowsPerStatement = 32;

type Row = readonly SqlValue[];

/**
 * The insertion of many rows within a transaction.
 *
 * @param into the statement up to its values, such as `INSERT INTO t (a, b)`.
 * @param columns number of values of a row.
 * @param after what follows the values, such as `ON CONFLICT ...`.
 */
export function insertRows(into: string, columns: number, after = ''): (rows: readonly Row[]) => Transaction<void> {
  const query = (rows: number) => write<Row>(`${into} VALUES ${placesOf(rows, columns)} ${after}`);
  const [single, many] = [query(1), query(rowsPerStatement)];
  return function* (rows) {
    for (const { values, count } of statementsOf(rows)) yield* run(count === 1 ? single : many, ...values);
  };
}

/** `insertRows` that returns the ids of the rows, in their order; each is larger than the one before. */
export function insertRowsForIds(into: string, columns: number): (rows: readonly Row[]) => Transaction<number[]> {
  const query = (rows: number) => writeValue<Row, number>(`${into} VALUES ${placesOf(rows, columns)} RETURNING id`);
  const [single, many] = [query(1), query(rowsPerStatement)];
  return function* (rows) {
    const ids: number[] = [];
    for (const { values, count } of statementsOf(rows)) {
      const found = yield* returningAll(count === 1 ? single : many, ...values);
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

function* statementsOf(rows: readonly Row[]): Generator<{ readonly values: Row; readonly count: number }> {
  let at = 0;
  for (; at + rowsPerStatement <= rows.length; at += rowsPerStatement)
    yield { values: rows.slice(at, at + rowsPerStatement).flat(), count: rowsPerStatement };
  for (const values of rows.slice(at)) yield { values, count: 1 };
}
