import type Database from 'better-sqlite3';

type Value = string | number | Uint8Array | null;

// Per row, a statement for this many costs half of a statement for one row; one for many more costs
// more again.
const rowsPerStatement = 32;

/**
 * Prepares the insertion of many rows.
 *
 * @param into the statement up to its values, such as `INSERT INTO t (a, b)`.
 * @param columns number of values of a row.
 * @returns a function that inserts rows, to be called within a transaction.
 */
export function insertRows(
  database: Database.Database,
  into: string,
  columns: number,
): (rows: readonly (readonly Value[])[]) => void {
  const row = `(${Array.from({ length: columns }, () => '?').join()})`;
  const one = database.prepare(`${into} VALUES ${row}`);
  const many = database.prepare(`${into} VALUES ${Array.from({ length: rowsPerStatement }, () => row).join()}`);
  return (rows) => {
    let at = 0;
    for (; at + rowsPerStatement <= rows.length; at += rowsPerStatement)
      many.run(rows.slice(at, at + rowsPerStatement).flat());
    for (const rest of rows.slice(at)) one.run(rest);
  };
}
