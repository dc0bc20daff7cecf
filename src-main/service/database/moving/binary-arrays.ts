import type { MovedColumn, ValueKind } from './moved-tables.ts';
import type { Row, Value } from './rows.ts';

/** The types of columns in PostgreSQL, with their OIDs (pg_type). */
export const arrayTypes: Readonly<Record<ValueKind, { readonly type: string; readonly oid: number }>> = {
  integer: { type: 'bigint', oid: 20 },
  text: { type: 'text', oid: 25 },
  bytes: { type: 'bytea', oid: 17 },
};
const headBytes = 20;

/**
 * One column of rows as an array in PostgreSQL's binary form (`array_recv` of its sources: number of
 * dimensions, flag for NULLs, type of elements, length, first index; then each with its length).
 */
export function binaryArray(column: MovedColumn, place: number, rows: readonly Row[]): Buffer {
  const lengths = rows.map((row) => byteLength(row[place] ?? null));
  const array = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), headBytes));
  array.writeInt32BE(1, 0);
  array.writeInt32BE(lengths.includes(-1) ? 1 : 0, 4);
  array.writeInt32BE(arrayTypes[column.kind].oid, 8);
  array.writeInt32BE(rows.length, 12);
  array.writeInt32BE(1, 16);
  let at = headBytes;
  for (const [index, length] of lengths.entries()) {
    array.writeInt32BE(length, at);
    write(array, at + 4, rows[index]?.[place] ?? null);
    at += 4 + Math.max(0, length);
  }
  return array;
}

/** -1 for NULL. */
function byteLength(value: Value): number {
  if (value === null) return -1;
  if (typeof value === 'number') return 8;
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

function write(array: Buffer, at: number, value: Value): void {
  if (typeof value === 'number') {
    array.writeInt32BE(Math.floor(value / 2 ** 32), at);
    array.writeUInt32BE(value >>> 0, at + 4);
  } else if (typeof value === 'string') array.write(value, at);
  else value?.copy(array, at);
}
