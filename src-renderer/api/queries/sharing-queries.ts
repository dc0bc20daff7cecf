import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { OutgoingTransfer, PastTransfer, Sharing } from '../requests/types.ts';

export const pastTransferPageSize = 50;

/** Queries about sharing and running transfers. */
export function createSharingQueries(api: Api) {
  return {
    /** In the window only. */
    sharing: () =>
      queryOptions({
        queryKey: ['sharing'],
        queryFn: ({ signal }) => api.json<Sharing>('/api/v4/local/sharing', { signal }),
      }),
    /** Once a second, because rates are. */
    outgoing: () =>
      queryOptions({
        queryKey: ['outgoing'],
        queryFn: ({ signal }) => api.json<OutgoingTransfer[]>('/api/v4/transfers/running', { signal }),
        refetchInterval: 1000,
        staleTime: 0,
      }),
    /**
     * @param page counted from 1. Not invalidated by each transfer that ends: under load that would
     * be once a second.
     */
    pastTransfers: (search: string, page: number) =>
      queryOptions({
        queryKey: ['past-transfers', search, page],
        queryFn: ({ signal }) =>
          api.page<PastTransfer>('/api/v4/transfers/past', {
            signal,
            query: { search, page, per_page: pastTransferPageSize },
          }),
        placeholderData: keepPreviousData,
        refetchInterval: 15_000,
      }),
  };
}
