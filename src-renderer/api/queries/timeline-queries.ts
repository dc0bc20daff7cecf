import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { ErrorRuns, RunErrors } from '../requests/types.ts';
import { errorsPath } from './error-queries.ts';

const refetchMs = 60_000;
/** Few, because other parts of the error stand below them. */
const errorRunsPageSize = 5;

/** Queries that bring measurements and errors together by their times. */
export function createTimelineQueries(api: Api) {
  return {
    /**
     * The errors of a measurement's window. Its key names no topic: while a facility is in trouble, each
     * event would ask again.
     *
     * @param project path of the only project to look at; empty for those of the measurement.
     */
    runErrors: (measurement: string, project: string) =>
      infiniteQueryOptions({
        queryKey: ['run-errors', measurement, project],
        initialPageParam: '',
        queryFn: ({ signal, pageParam }) =>
          api.json<RunErrors>(`/api/v4/measurements/${encodeURIComponent(measurement)}/errors`, {
            signal,
            query: {
              ...(project === '' ? {} : { project }),
              ...(pageParam === '' ? {} : { cursor: pageParam }),
            },
          }),
        getNextPageParam: (last: RunErrors) => last.next,
        placeholderData: keepPreviousData,
        refetchInterval: refetchMs,
      }),
    errorRuns: (projectId: number, errorId: string) =>
      infiniteQueryOptions({
        queryKey: ['error-runs', projectId, errorId],
        initialPageParam: '',
        queryFn: ({ signal, pageParam }) =>
          api.json<ErrorRuns>(`${errorsPath(projectId)}/${encodeURIComponent(errorId)}/measurements`, {
            signal,
            query: { limit: errorRunsPageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) },
          }),
        getNextPageParam: (last: ErrorRuns) => last.next,
        refetchInterval: refetchMs,
      }),
  };
}
