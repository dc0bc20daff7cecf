import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type {
  Fetch,
  FetchFilePage,
  FetchFilter,
  FetchSort,
  FetchFolder,
  FetchLogLine,
  FetchPage,
  FetchPieces,
  FetchSettings,
} from '../requests/types.ts';

export const fetchPageSize = 100;
export const fetchFilePageSize = 200;
/**
 * Milliseconds between refetches of the inspector's data, apart from the live row, while something
 * runs.
 */
const oftenWhileRunning = 1000;

export interface FetchList {
  readonly filter: FetchFilter;
  readonly search: string;
  readonly sort: FetchSort;
  readonly order: 'asc' | 'desc';
}
export type FetchFileFilter = 'all' | 'open' | 'failed' | 'done';

const fetchesPath = '/api/v4/local/fetches';

/** Common start of the keys of all pages of a list; the page number is the last part. */
export function fetchListKey({ filter, search, sort, order }: FetchList): readonly string[] {
  return ['fetches', 'list', filter, search, sort, order];
}

/**
 * Queries about fetches. The third part of the key of a single fetch is its id as text, which
 * `changed` events of the topic `fetches` name.
 */
export function createFetchQueries(api: Api) {
  const often = (running: boolean): number | false => (running ? oftenWhileRunning : false);
  return {
    fetchPage: (list: FetchList, page: number) =>
      queryOptions({
        queryKey: [...fetchListKey(list), page],
        queryFn: ({ signal }) =>
          api.json<FetchPage>(fetchesPath, {
            signal,
            query: { ...list, offset: page * fetchPageSize, limit: fetchPageSize },
          }),
        staleTime: 30_000,
      }),
    /** The number of fetches in each state. */
    fetchCounts: () =>
      queryOptions({
        queryKey: ['fetches', 'list', 'counts'],
        queryFn: async ({ signal }) =>
          (await api.json<FetchPage>(fetchesPath, { signal, query: { offset: 0, limit: 1 } })).counts,
      }),
    fetchOne: (id: number) =>
      queryOptions({
        queryKey: ['fetches', 'one', String(id)],
        queryFn: ({ signal }) => api.json<Fetch>(`${fetchesPath}/${id}`, { signal }),
      }),
    fetchFiles: (id: number, filter: FetchFileFilter, page: number, running: boolean) =>
      queryOptions({
        queryKey: ['fetches', 'files', String(id), filter, page],
        queryFn: ({ signal }) =>
          api.json<FetchFilePage>(`${fetchesPath}/${id}/files`, {
            signal,
            query: { filter, offset: page * fetchFilePageSize, limit: fetchFilePageSize },
          }),
        placeholderData: keepPreviousData,
        refetchInterval: often(running),
      }),
    fetchPieces: (id: number, index: number, running: boolean) =>
      queryOptions({
        queryKey: ['fetches', 'pieces', String(id), index],
        queryFn: ({ signal }) => api.json<FetchPieces>(`${fetchesPath}/${id}/files/${index}/pieces`, { signal }),
        refetchInterval: often(running),
      }),
    fetchLog: (id: number, running: boolean) =>
      queryOptions({
        queryKey: ['fetches', 'log', String(id)],
        queryFn: ({ signal }) => api.json<FetchLogLine[]>(`${fetchesPath}/${id}/log`, { signal }),
        refetchInterval: often(running),
      }),
    fetchSettings: () =>
      queryOptions({
        queryKey: ['fetch-settings'],
        queryFn: ({ signal }) => api.json<FetchSettings>('/api/v4/local/fetch-settings', { signal }),
      }),
    fetchFolder: (path: string) =>
      queryOptions({
        queryKey: ['fetch-folder', path],
        queryFn: ({ signal }) => api.json<FetchFolder>('/api/v4/local/fetch-folder', { signal, query: { path } }),
        staleTime: 0,
      }),
  };
}
