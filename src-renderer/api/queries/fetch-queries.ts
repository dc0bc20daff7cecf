import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type {
  Fetch,
  FetchFilePage,
  FetchFilter,
  FetchSort,
  FetchFolder,
  FetchLogLine,
  FetchPage,
  FetchPieces,
  FetchReceipt,
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
  const { readJson } = createReaders(api);
  const often = (running: boolean): number | false => (running ? oftenWhileRunning : false);
  return {
    fetchPage: (list: FetchList, page: number) => ({
      ...readJson<FetchPage>([...fetchListKey(list), page], fetchesPath, {
        ...list,
        offset: page * fetchPageSize,
        limit: fetchPageSize,
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
    fetchOne: (id: number) => readJson<Fetch>(['fetches', 'one', String(id)], `${fetchesPath}/${id}`),
    fetchFiles: (id: number, filter: FetchFileFilter, page: number, running: boolean) => ({
      ...readJson<FetchFilePage>(['fetches', 'files', String(id), filter, page], `${fetchesPath}/${id}/files`, {
        filter,
        offset: page * fetchFilePageSize,
        limit: fetchFilePageSize,
      }),
      placeholderData: keepPreviousData,
      refetchInterval: often(running),
    }),
    fetchPieces: (id: number, index: number, running: boolean) => ({
      ...readJson<FetchPieces>(['fetches', 'pieces', String(id), index], `${fetchesPath}/${id}/files/${index}/pieces`),
      refetchInterval: often(running),
    }),
    fetchLog: (id: number, running: boolean) => ({
      ...readJson<FetchLogLine[]>(['fetches', 'log', String(id)], `${fetchesPath}/${id}/log`),
      refetchInterval: often(running),
    }),
    fetchReceipt: (id: number) => ({
      ...readJson<FetchReceipt>(['fetches', 'receipt', String(id)], `${fetchesPath}/${id}/receipt`),
      // The file may have been moved since.
      staleTime: 0,
    }),
    fetchSettings: () => readJson<FetchSettings>(['fetch-settings'], '/api/v4/local/fetch-settings'),
    fetchFolder: (path: string) => ({
      ...readJson<FetchFolder>(['fetch-folder', path], '/api/v4/local/fetch-folder', { path }),
      staleTime: 0,
    }),
  };
}
