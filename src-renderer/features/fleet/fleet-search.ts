import type { BenchFilter, BenchSort } from '../../api/requests/types.ts';
import type { SortOrder } from '../../ui/lists/sorted-rows.ts';

const filters: readonly BenchFilter[] = ['all', 'attention', 'reporting', 'gone'];
const sorts: readonly BenchSort[] = [
  'state',
  'name',
  'heard_at',
  'last_run',
  'backlog',
  'disk',
  'version',
  'clock',
  'errors',
];
const lowestFirst: readonly BenchSort[] = ['state', 'name', 'disk', 'version'];

/** Parameters in the address of the list of benches. */
export interface FleetSearch {
  readonly search?: string;
  readonly filter?: BenchFilter;
  readonly sort?: BenchSort;
  readonly order?: 'asc' | 'desc';
  /** Counted from 1. */
  readonly page?: number;
}

/** The order in the address: those that need somebody first by default. */
export function orderOf({ sort = 'state', order = 'asc' }: FleetSearch): SortOrder<BenchSort> {
  return { by: sort, order };
}

/** Direction of the first click on a head: what needs somebody comes first. */
export function firstOrder(sort: BenchSort): 'asc' | 'desc' {
  return lowestFirst.includes(sort) ? 'asc' : 'desc';
}

/** Keeps only valid parameters. */
export function readFleetSearch(search: Readonly<Record<string, unknown>>): FleetSearch {
  const { search: text, filter, sort, order, page } = search;
  const filtered = filters.find((one) => one === filter);
  const sorted = sorts.find((one) => one === sort);
  return {
    // The router parses digits as a number.
    ...((typeof text === 'string' && text !== '') || typeof text === 'number' ? { search: String(text) } : {}),
    ...(filtered === undefined || filtered === 'all' ? {} : { filter: filtered }),
    ...(sorted === undefined ? {} : { sort: sorted }),
    ...(order === 'asc' || order === 'desc' ? { order } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
