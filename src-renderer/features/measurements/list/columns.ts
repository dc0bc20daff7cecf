import type { MeasurementSort } from '../../../api/requests/types.ts';

export interface Column {
  readonly sort: MeasurementSort;
  readonly word: string;
  /** Width in pixels; null grows with the list. */
  readonly width: number | null;
  /**
   * Maximum width: in a wide list the free space is at the right, because numbers far from their
   * name are hard to follow.
   */
  readonly grows?: { readonly from: number; readonly to: number };
  readonly numeric: boolean;
  /** The list must be at least this wide for the column to be shown. */
  readonly from: number;
}

export const columns: readonly Column[] = [
  { sort: 'id', word: 'Name', width: null, grows: { from: 120, to: 360 }, numeric: false, from: 0 },
  { sort: 'title', word: 'Title', width: 300, grows: { from: 200, to: 560 }, numeric: false, from: 840 },
  { sort: 'file_count', word: 'Files', width: 64, numeric: true, from: 720 },
  { sort: 'total_bytes', word: 'Size', width: 84, numeric: true, from: 360 },
  { sort: 'state', word: 'State', width: 132, numeric: false, from: 420 },
  { sort: 'created_at', word: 'Added', width: 100, numeric: false, from: 680 },
];

/** Whether titles are beside the names, because there is no room for a column of their own. */
export function foldsTitle(shown: readonly Column[]): boolean {
  return shown.every((column) => column.sort !== 'title');
}

/** The columns for which a list of this width has room. */
export function visibleColumns(width: number): readonly Column[] {
  return columns.filter((column) => width >= column.from);
}

/** The CSS template of these columns, with the widths that the user has set. */
export function columnTemplate(shown: readonly Column[], widths: Readonly<Record<string, number>>): string {
  const folded = foldsTitle(shown);
  return shown
    .map(({ sort, width, grows }) => {
      const chosen = width === null ? undefined : widths[sort];
      if (chosen !== undefined || grows === undefined) return `${chosen ?? width}px`;
      // Name and title then share one column.
      return folded ? 'minmax(120px, 1fr)' : `minmax(${grows.from}px, ${grows.to}px)`;
    })
    .join(' ');
}
