import type { MeasurementSort } from '../../api/types.ts';

export interface Column {
  readonly sort: MeasurementSort;
  readonly word: string;
  /** Pixels; null takes what is left. */
  readonly width: number | null;
  readonly numeric: boolean;
  /** The list must be at least this wide for the column to be shown. */
  readonly from: number;
}

export const columns: readonly Column[] = [
  { sort: 'id', word: 'Name', width: null, numeric: false, from: 0 },
  { sort: 'title', word: 'Title', width: 300, numeric: false, from: 840 },
  { sort: 'file_count', word: 'Files', width: 64, numeric: true, from: 720 },
  { sort: 'total_bytes', word: 'Size', width: 84, numeric: true, from: 360 },
  { sort: 'state', word: 'State', width: 132, numeric: false, from: 420 },
  { sort: 'created_at', word: 'Added', width: 100, numeric: false, from: 560 },
];

/** Whether titles stand beside the names, because there is no room for a column of their own. */
export function foldsTitle(shown: readonly Column[]): boolean {
  return shown.every((column) => column.sort !== 'title');
}

/** The columns for which a list of this width has room. */
export function visibleColumns(width: number): readonly Column[] {
  return columns.filter((column) => width >= column.from);
}

/** The CSS template of these columns, with the widths a person has set. */
export function columnTemplate(shown: readonly Column[], widths: Readonly<Record<string, number>>): string {
  return shown.map((column) => (column.width === null ? 'minmax(120px, 1fr)' : `${widths[column.sort] ?? column.width}px`)).join(' ');
}
