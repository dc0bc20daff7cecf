import { Buffer } from 'node:buffer';

/** Rows as `rowsOf` takes them. Halves of surrogate pairs, which JSON could carry and PostgreSQL refuses, are replaced. */
export function jsonRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  // JSON.stringify escapes nothing else that begins so, except for a backslash in a text.
  return text.includes(String.raw`\ud`) ? JSON.stringify(rows, wellFormed) : text;
}

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}
