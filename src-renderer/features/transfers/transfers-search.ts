import type { FetchList } from '../../api/fetch-queries.ts';
import type { FetchFilter } from '../../api/types.ts';

export const fetchFilters: readonly { readonly filter: FetchFilter; readonly word: string }[] = [
  { filter: 'all', word: 'All' },
  { filter: 'active', word: 'Active' },
  { filter: 'attention', word: 'Needs you' },
  { filter: 'paused', word: 'Paused' },
  { filter: 'done', word: 'Done' },
  { filter: 'failed', word: 'Failed' },
];

/** Filter and search of the list, as they stand in the address. */
export interface TransfersSearch {
  readonly filter?: FetchFilter;
  readonly search?: string;
}

/** Takes what is sound of an address. */
export function readTransfersSearch(raw: Record<string, unknown>): TransfersSearch {
  const filter = fetchFilters.find((one) => one.filter === raw['filter'])?.filter;
  const search = typeof raw['search'] === 'string' || typeof raw['search'] === 'number' ? String(raw['search']).slice(0, 200) : '';
  return { ...(filter === undefined || filter === 'all' ? {} : { filter }), ...(search === '' ? {} : { search }) };
}

/** What a search in the address asks of the service. */
export function fetchListOf({ filter = 'all', search = '' }: TransfersSearch): FetchList {
  return { filter, search: search.trim() };
}
