import { keepPreviousData } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type { OutgoingTransfer, PastTransfer, Sharing } from '../requests/types.ts';

export const pastTransferPageSize = 50;

/** Queries about sharing and running transfers. */
export function createSharingQueries(api: Api) {
  const { readJson, readPage } = createReaders(api);
  return {
    /** In the window only. */
    sharing: () => readJson<Sharing>(['sharing'], '/api/v4/local/sharing'),
    /** Once a second, because rates are. */
    outgoing: () => ({
      ...readJson<OutgoingTransfer[]>(['outgoing'], '/api/v4/transfers/running'),
      refetchInterval: 1000,
      staleTime: 0,
    }),
    /**
     * @param page counted from 1. Not invalidated by each transfer that ends: under load that would
     * be once a second.
     */
    pastTransfers: (search: string, page: number) => ({
      ...readPage<PastTransfer>(['past-transfers', search, page], '/api/v4/transfers/past', {
        search,
        page,
        per_page: pastTransferPageSize,
      }),
      placeholderData: keepPreviousData,
      refetchInterval: 15_000,
    }),
  };
}
