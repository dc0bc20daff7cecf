import { keepPreviousData } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { Bench, BenchDetail, BenchFilter, BenchSort, BenchSummary } from '../requests/types.ts';
import { createReaders } from './read-queries.ts';

/** As many as the service gives at once: a hundred benches are one look. */
export const benchPageSize = 100;
const benchesPath = '/api/v4/fleet/benches';
/** Events come when something changes; silence is shown at the latest after this. */
const refetchInterval = 30_000;

export interface BenchListQuery {
  readonly filter: BenchFilter;
  readonly search: string;
  readonly sort: BenchSort;
  readonly order: 'asc' | 'desc';
  /** Counted from 1. */
  readonly page: number;
}

/** Queries about the benches that report to this server, for administrators. */
export function createFleetQueries(api: Api) {
  const { readJson, readPage } = createReaders(api);
  return {
    fleet: () => ({ ...readJson<BenchSummary>(['benches', 'summary'], '/api/v4/fleet'), refetchInterval }),
    benches: ({ filter, search, sort, order, page }: BenchListQuery) => ({
      ...readPage<Bench>(['benches', 'list', filter, search, sort, order, page], benchesPath, {
        filter,
        search,
        sort,
        order,
        page,
        per_page: benchPageSize,
      }),
      placeholderData: keepPreviousData,
      refetchInterval,
    }),
    bench: (id: string) => ({
      ...readJson<BenchDetail>(['benches', 'one', id], `${benchesPath}/${encodeURIComponent(id)}`),
      refetchInterval,
    }),
  };
}
