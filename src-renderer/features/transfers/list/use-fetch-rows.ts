import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { fetchListKey, fetchPageSize, type FetchList } from '../../../api/queries/fetch-queries.ts';
import type { Fetch, FetchPage } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { readRange } from '../../../ui/lists/read-range.ts';
import { hiddenBefore, listedIndex } from '../../../context/removals.ts';

export interface ListedFetch {
  readonly fetch: Fetch;
  /** When the list was read, in milliseconds since 1970. */
  readonly at: number;
}

/** The first page, possibly still that of the previous filter. */
export interface FirstPage {
  readonly items: readonly Fetch[];
  readonly at: number;
}

/**
 * The first page, which has the total of each state. While a new filter loads, the previous result
 * is shown.
 */
export function useFirstFetches(list: FetchList) {
  const { queries } = useApp();
  return useQuery({ ...queries.fetchPage(list, 0), placeholderData: keepPreviousData });
}

/** Positions of hidden rows in the service's list, as far as it was read. */
export function useHiddenPlaces(list: FetchList): readonly number[] {
  const client = useQueryClient();
  const { fetches } = useApp();
  const hidden = useStore(fetches.removals.store, (state) => state.hidden);
  if (hidden.size === 0) return [];
  const pages = client.getQueriesData<FetchPage>({ queryKey: fetchListKey(list) });
  return pages
    .flatMap(
      ([key, page]) =>
        page?.items.flatMap(({ id }, place) => (hidden.has(id) ? [Number(key.at(-1)) * fetchPageSize + place] : [])) ??
        [],
    )
    .toSorted((one, other) => one - other);
}

/** The rows of the visible pages; others load on scrolling. */
export function useFetchRows(
  list: FetchList,
  firstPage: FirstPage,
  hidden: readonly number[],
  firstShown: number,
  lastShown: number,
) {
  const { queries } = useApp();
  const client = useQueryClient();
  const from = Math.floor(listedIndex(firstShown, hidden) / fetchPageSize);
  const to = Math.floor(listedIndex(lastShown, hidden) / fetchPageSize);
  const numbers = Array.from({ length: Math.max(1, to - from + 1) }, (_, step) => from + step);
  const pages = useQueries({ queries: numbers.map((page) => queries.fetchPage(list, page)) });

  const rowAt = (shown: number): ListedFetch | undefined => {
    const index = listedIndex(shown, hidden);
    const number = Math.floor(index / fetchPageSize);
    const page = pages[number - from];
    const read =
      page?.data === undefined
        ? number === 0
          ? firstPage
          : undefined
        : { items: page.data.items, at: page.dataUpdatedAt };
    const fetch = read?.items[index % fetchPageSize];
    return read === undefined || fetch === undefined ? undefined : { fetch, at: read.at };
  };
  /** Position of a loaded row among the displayed ones. */
  const placeOf = (id: number): number | null => {
    for (const [key, page] of client.getQueriesData<FetchPage>({ queryKey: fetchListKey(list) })) {
      const place = page?.items.findIndex((fetch) => fetch.id === id) ?? -1;
      const listed = Number(key.at(-1)) * fetchPageSize + place;
      if (place !== -1) return listed - hiddenBefore(listed, hidden);
    }
    return null;
  };
  /** Ids of a range of rows; pages that are not loaded are fetched. */
  const idsBetween = async (begin: number, end: number): Promise<string[]> => {
    const [first, last] = [listedIndex(begin, hidden), listedIndex(end, hidden)];
    const out = new Set(hidden);
    const read = async (page: number) => (await client.fetchQuery(queries.fetchPage(list, page))).items;
    const found = await readRange({ first, last, pageSize: fetchPageSize }, read);
    return found.filter(({ index }) => !out.has(index)).map(({ row }) => String(row.id));
  };
  const failure = pages.find((page) => page.error !== null && page.data === undefined)?.error ?? null;
  return { rowAt, placeOf, idsBetween, failure };
}
