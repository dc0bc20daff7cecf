import { infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query';
import type { Api, Page, QueryValues } from '../requests/request.ts';

/** Queries that read an address of the service. */
export function createReaders(api: Api) {
  return {
    /** An answer as it is. */
    readJson: <T>(queryKey: QueryKey, path: string, query: QueryValues = {}) =>
      queryOptions({ queryKey, queryFn: ({ signal }) => api.json<T>(path, { signal, query }) }),
    /** A page of a list, with the length of the list. */
    readPage: <T>(queryKey: QueryKey, path: string, query: QueryValues = {}) =>
      queryOptions({ queryKey, queryFn: ({ signal }) => api.page<T>(path, { signal, query }) }),
    /** The pages of a list one after the other. */
    readPages: <T>(queryKey: QueryKey, path: string, pageSize: number, query: QueryValues = {}) =>
      infiniteQueryOptions({
        queryKey,
        initialPageParam: 1,
        queryFn: ({ signal, pageParam }) =>
          api.page<T>(path, { signal, query: { ...query, page: pageParam, per_page: pageSize } }),
        getNextPageParam: (last: Page<T>, _all, page: number) => (page * pageSize < last.total ? page + 1 : null),
      }),
    /** All items of a list that may have several pages. */
    readAll: <T>(queryKey: QueryKey, path: string, query: QueryValues = {}) =>
      queryOptions({
        queryKey,
        queryFn: async ({ signal }) => {
          const all: T[] = [];
          for (let page = 1; ; page += 1) {
            const { items, total } = await api.page<T>(path, { signal, query: { ...query, page, per_page: 100 } });
            all.push(...items);
            if (items.length === 0 || all.length >= total) return all;
          }
        },
      }),
  };
}
