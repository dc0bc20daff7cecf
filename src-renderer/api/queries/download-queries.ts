import { createReaders } from './read-queries.ts';
import { keepPreviousData } from '@tanstack/react-query';
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
  const { readPages } = createReaders(api);
  return {
    /** Not invalidated by each transfer that ends: under load that would be once a second. */
    downloads: (measurementId: string | null, filter: DownloadFilter) => ({
      ...readPages<Download>(['downloads', measurementId, filter], downloadsPath(measurementId), downloadPageSize, {
        ...filter,
      }),
      placeholderData: keepPreviousData,
      refetchInterval: 15_000,
    }),
    transfersOfDownload: (id: number) =>
      readPages<TransferRecord>(['downloads', 'transfers', id], `/api/v4/downloads/${id}/transfers`, downloadPageSize),
  };
}
