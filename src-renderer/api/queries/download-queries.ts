import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { withQuery, type Api } from '../requests/request.ts';
import type { Download, TransferRecord } from '../requests/types.ts';

const downloadPageSize = 50;

/** Which downloads are shown: empty texts mean all. Days are in UTC. */
export interface DownloadFilter {
  readonly user: string;
  readonly outcome: string;
  readonly from: string;
  readonly to: string;
}

export const everyDownload: DownloadFilter = { user: '', outcome: '', from: '', to: '' };

/** Path of the downloads of one measurement, or of all. */
function downloadsPath(measurementId: string | null): string {
  return measurementId === null
    ? '/api/v4/downloads'
    : `/api/v4/measurements/${encodeURIComponent(measurementId)}/downloads`;
}

/** Path of the downloads as a file. */
export function downloadsCsvAddress(measurementId: string | null, filter: DownloadFilter): string {
  return withQuery(`${downloadsPath(measurementId)}.csv`, { ...filter });
}

/** Queries about downloads. */
export function createDownloadQueries(api: Api) {
  return {
    /** Not invalidated by each transfer that ends: under load that would be once a second. */
    downloads: (measurementId: string | null, filter: DownloadFilter) =>
      infiniteQueryOptions({
        queryKey: ['downloads', measurementId, filter],
        initialPageParam: 1,
        queryFn: ({ signal, pageParam }) =>
          api.page<Download>(downloadsPath(measurementId), {
            signal,
            query: { ...filter, page: pageParam, per_page: downloadPageSize },
          }),
        getNextPageParam: (last, _all, page) => (page * downloadPageSize < last.total ? page + 1 : null),
        placeholderData: keepPreviousData,
        refetchInterval: 15_000,
      }),
    transfersOfDownload: (id: number) =>
      infiniteQueryOptions({
        queryKey: ['downloads', 'transfers', id],
        initialPageParam: 1,
        queryFn: ({ signal, pageParam }) =>
          api.page<TransferRecord>(`/api/v4/downloads/${id}/transfers`, {
            signal,
            query: { page: pageParam, per_page: downloadPageSize },
          }),
        getNextPageParam: (last, _all, page) => (page * downloadPageSize < last.total ? page + 1 : null),
      }),
  };
}
