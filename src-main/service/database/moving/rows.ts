import { StartError } from '../../common/start-error.ts';
import type { MovedTable } from './moved-tables.ts';

export type Value = string | number | Buffer | null;
/** The values of a row in the order of the columns of its table. */
export type Row = readonly Value[];

/** `sizes`: the length of a value of bytes stands for it, but for those of the key. */
export type RowShape = 'values' | 'sizes';

/** Rows of one page at most; each is one statement of PostgreSQL. */
export const maxPageRows = 500;
/** A page ends with the row that reaches this number of bytes, so that large rows do not fill the memory. */
export const maxPageBytes = 4 * 1024 * 1024;

/**
 * The values of the primary key of a row, by which the next page begins.
 *
 * @throws StartError when a number is not exact: the next page could begin with the same row.
 */
export function keyOf(table: MovedTable, row: Row): Row {
  return table.key.map((at) => {
    const value = row[at] ?? null;
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      throw new StartError(
        'data-unusable',
        `The table ${table.name} has a key beyond 2^53 (about ${value}), which cannot be moved.`,
      );
    return value;
  });
}

/** A key as messages show it. */
export function shownKey(key: Row): string {
  return key.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : String(value))).join(', ');
}

/** Names as both engines read them. */
export function quoted(name: string): string {
  return `"${name}"`;
}

export function columnNames(table: MovedTable): readonly string[] {
  return table.columns.map(({ name }) => quoted(name));
}

/** The columns of the primary key, as a list for ORDER BY and for comparisons of rows. */
export function keyColumns(table: MovedTable): string {
  return table.key.map((at) => quoted(table.columns[at]?.name ?? '')).join(', ');
}

/** The columns of a query for rows. @param length the function of the length in bytes. */
export function shownColumns(table: MovedTable, shape: RowShape, length: string): readonly string[] {
  return table.columns.map(({ name, kind }, at) =>
    shape === 'sizes' && kind === 'bytes' && !table.key.includes(at) ? `${length}(${quoted(name)})` : quoted(name),
  );
}
