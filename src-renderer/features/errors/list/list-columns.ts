import type { ErrorSort } from '../../../api/requests/types.ts';

export interface ErrorColumn {
  readonly id: 'title' | 'hours' | ErrorSort;
  readonly word: string;
  readonly sort: ErrorSort | null;
  /** A CSS track. */
  readonly track: string;
  /** The list must be at least this wide for the column to be shown. */
  readonly from: number;
}

const columns: readonly ErrorColumn[] = [
  { id: 'title', word: 'Error', sort: null, track: 'minmax(160px, 960px)', from: 0 },
  { id: 'hours', word: '24 hours', sort: null, track: '112px', from: 560 },
  { id: 'events', word: 'Events', sort: 'events', track: '64px', from: 420 },
  { id: 'users', word: 'Users', sort: 'users', track: '56px', from: 640 },
  { id: 'last_seen', word: 'Last seen', sort: 'last_seen', track: '84px', from: 480 },
  { id: 'first_seen', word: 'First seen', sort: 'first_seen', track: '84px', from: 800 },
];

/** The columns for which a list of this width has room. */
export function shownColumns(width: number): readonly ErrorColumn[] {
  return columns.filter((column) => width >= column.from);
}

/** All sort orders, descending. */
export const sortWords: readonly { readonly sort: ErrorSort; readonly word: string }[] = [
  { sort: 'last_seen', word: 'Last seen' },
  { sort: 'first_seen', word: 'First seen' },
  { sort: 'events', word: 'Events' },
  { sort: 'users', word: 'Users' },
];
