import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ErrorListOptions } from '../../../api/queries/error-queries.ts';
import type { ErrorSummary } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';

/** The errors loaded so far, and how to load more. */
export function useErrorList(projectId: number, options: ErrorListOptions) {
  const { queries } = useApp();
  const list = useInfiniteQuery(queries.errors(projectId, options));
  const { data, hasNextPage, isFetching, fetchNextPage } = list;
  const errors = useMemo(() => {
    // While errors arrive, one may have moved to another page between two requests.
    const byId = new Map<string, ErrorSummary>();
    for (const error of data?.pages.flatMap((page) => page.errors) ?? [])
      if (!byId.has(error.id)) byId.set(error.id, error);
    return [...byId.values()];
  }, [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { list, errors, total: data?.pages[0]?.total ?? null, more };
}
