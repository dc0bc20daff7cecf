import type { FetchList } from '../../../api/queries/fetch-queries.ts';
import type { FetchFilter, FetchSort } from '../../../api/requests/types.ts';

export const fetchFilters: readonly { readonly filter: FetchFilter; readonly word: string }[] = [
  { filter: 'all', word: 'All' },
  { filter: 'active', word: 'Active' },
  { filter: 'attention', word: 'Needs you' },
  { filter: 'paused', word: 'Paused' },
  { filter: 'done', word: 'Done' },
  { filter: 'failed', word: 'Failed' },
];

const sorts: readonly FetchSort[] = ['title', 'size', 'state', 'added'];

/** Search parameters: filter, search and order of the list. */
export interface TransfersSearch {
  readonly filter?: FetchFilter;
  readonly search?: string;
  /** The order of the queue by default. */
  readonly sort?: FetchSort;
  readonly order?: 'asc' | 'desc';
}

/** Keeps only valid parameters. */
export function readTransfersSearch(raw: Record<string, unknown>): TransfersSearch {
  const filter = fetchFilters.find((one) => one.filter === raw['filter'])?.filter;
  const search =
    typeof raw['search'] === 'string' || typeof raw['search'] === 'number' ? String(raw['search']).slice(0, 200) : '';
  const sort = sorts.find((one) => one === raw['sort']);
  return {
    ...(filter === undefined || filter === 'all' ? {} : { filter }),
    ...(search === '' ? {} : { search }),
    ...(sort === undefined ? {} : { sort, order: raw['order'] === 'desc' ? 'desc' : 'asc' }),
  };
}

/** The service's parameters for a search in the address. */
export function fetchListOf({
  filter = 'all',
  search = '',
  sort = 'queue',
  order = 'asc',
}: TransfersSearch): FetchList {
  return { filter, search: search.trim(), sort, order };
}

/** The order after a click on a head: by that column, then reversed, then that of the queue. */
export function nextFetchOrder(
  now: Pick<FetchList, 'sort' | 'order'>,
  sort: FetchSort,
): Pick<TransfersSearch, 'sort' | 'order'> {
  const first = sort === 'title' || sort === 'state' ? 'asc' : 'desc';
  if (now.sort !== sort) return { sort, order: first };
  return now.order === first ? { sort, order: first === 'asc' ? 'desc' : 'asc' } : {};
}
