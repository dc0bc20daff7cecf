import { inert, printLine, type Terminal } from './terminal.ts';

export type Cell = string | number | null;

/**
 * Writes rows as aligned columns with headings, numbers right-aligned; nothing if there are no
 * rows.
 */
export function printTable(terminal: Terminal, headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length === 0) return;
  const texts = rows.map((row) => row.map(cellText));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const right = headings.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || row[column] === null),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  for (const cells of [headings, ...texts]) printLine(terminal, line(cells));
}

function cellText(cell: Cell): string {
  if (cell === null) return '-';
  return inert(String(cell));
}
