import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ErrorSummary } from '../../../api/requests/types.ts';

interface PageOf<E> {
  readonly errors: readonly E[];
  readonly total: number | null;
}

/** The errors of a list that are loaded so far, and how to load more. */
export function useErrorPages<E extends ErrorSummary>(list: UseInfiniteQueryResult<InfiniteData<PageOf<E>>>) {
  const { data, hasNextPage, isFetching, fetchNextPage } = list;
  const errors = useMemo(() => {
    // While errors arrive, one may have moved to another page between two requests.
    const byId = new Map<string, E>();
    for (const error of data?.pages.flatMap((page) => page.errors) ?? [])
      if (!byId.has(error.id)) byId.set(error.id, error);
    return [...byId.values()];
  }, [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { errors, total: data?.pages[0]?.total ?? null, more };
}
