import type { FetchSort } from '../../../api/requests/types.ts';

export interface TransferColumn {
  readonly id: 'name' | 'size' | 'progress' | 'status' | 'rate' | 'left' | 'action';
  readonly word: string;
  /** Null where the values change every second. */
  readonly sort: FetchSort | null;
  /** A CSS track. */
  readonly track: string;
  readonly numeric: boolean;
  /** The list must be at least this wide for the column to be shown. */
  readonly from: number;
}

const columns: readonly TransferColumn[] = [
  { id: 'name', word: 'Transfer', sort: 'title', track: 'minmax(150px, 1fr)', numeric: false, from: 0 },
  { id: 'size', word: 'Size', sort: 'size', track: '68px', numeric: true, from: 900 },
  { id: 'progress', word: 'Progress', sort: null, track: '168px', numeric: false, from: 0 },
  { id: 'status', word: 'Status', sort: 'state', track: '112px', numeric: false, from: 0 },
  { id: 'rate', word: 'Rate', sort: null, track: '80px', numeric: true, from: 0 },
  { id: 'left', word: 'Left', sort: null, track: '60px', numeric: true, from: 0 },
  { id: 'action', word: '', sort: null, track: '116px', numeric: true, from: 0 },
];

/**
 * Below this width a row is one block: as columns, names and reasons would be cut to a few letters.
 */
export const columnsFrom = 800;

/** The columns for which a list of this width has room. */
export function transferColumns(width: number): readonly TransferColumn[] {
  return columns.filter((column) => width >= column.from);
}
