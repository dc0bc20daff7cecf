import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type {
  AnnouncedRelease,
  ErrorDetail,
  ErrorEventPage,
  ErrorPage,
  ErrorPageOfProjects,
  ErrorSort,
  EventCounts,
  EventPeriod,
  Project,
} from '../requests/types.ts';

const errorPageSize = 100;

export interface ErrorListOptions {
  readonly query: string;
  readonly sort: ErrorSort;
}

/** Received events by hour, and dropped ones by reason. */
export interface Intake {
  readonly limit_per_second: number;
  readonly hours: readonly {
    readonly hour: string;
    readonly accepted: number;
    readonly dropped: Readonly<Record<string, number>>;
  }[];
}

/** Path of a project's errors. */
export const errorsPath = (projectId: number): string => `/api/v4/projects/${projectId}/errors`;

/**
 * Queries about errors. The second part of each key is the project's id, which `changed` events of
 * the topic `errors` name.
 */
export function createErrorQueries(api: Api) {
  const { readJson } = createReaders(api);
  const one = (projectId: number, errorId: string): string => `${errorsPath(projectId)}/${encodeURIComponent(errorId)}`;
  return {
    /** All projects whose errors the caller may read. */
    myProjects: () => readJson<Project[]>(['projects', 'all', 'mine'], '/api/v4/projects/mine'),
    errors: (projectId: number, { query, sort }: ErrorListOptions) =>
      infiniteQueryOptions({
        queryKey: ['errors', String(projectId), 'list', query, sort],
        initialPageParam: '',
        queryFn: ({ signal, pageParam }) =>
          api.json<ErrorPage>(errorsPath(projectId), {
            signal,
            query: { query, sort, limit: errorPageSize, cursor: pageParam },
          }),
        getNextPageParam: (last: ErrorPage) => last.next,
        placeholderData: keepPreviousData,
      }),
    /** Errors of all projects, under a key that no project id equals. */
    errorsOfProjects: ({ query, sort }: ErrorListOptions) =>
      infiniteQueryOptions({
        queryKey: ['errors', 'all', 'list', query, sort],
        initialPageParam: '',
        queryFn: ({ signal, pageParam }) =>
          api.json<ErrorPageOfProjects>('/api/v4/errors', {
            signal,
            query: { query, sort, limit: errorPageSize, cursor: pageParam },
          }),
        getNextPageParam: (last: ErrorPageOfProjects) => last.next,
        placeholderData: keepPreviousData,
        refetchInterval: 30_000,
      }),
    eventCounts: (projectId: number, period: EventPeriod) => ({
      ...readJson<EventCounts>(
        ['intake', projectId, period],
        `/api/v4/projects/${projectId}/error_tracking/event_counts`,
        {
          period,
        },
      ),
      placeholderData: keepPreviousData,
      refetchInterval: 60_000,
    }),
    error: (projectId: number, errorId: string) =>
      readJson<ErrorDetail>(['errors', String(projectId), 'one', errorId], one(projectId, errorId)),
    /** `latest`, `oldest` or the id of an event. */
    errorEvent: (projectId: number, errorId: string, event: string) => ({
      ...readJson<ErrorEventPage>(
        ['errors', String(projectId), 'event', errorId, event],
        `${one(projectId, errorId)}/events/${encodeURIComponent(event)}`,
      ),
      placeholderData: keepPreviousData,
    }),
    /**
     * A whole event as JSON text, to display and to save. It never changes, so no `changed` event
     * invalidates it.
     */
    rawEvent: (projectId: number, errorId: string, eventId: string) =>
      queryOptions({
        queryKey: ['raw-event', projectId, errorId, eventId],
        queryFn: ({ signal }) =>
          api.text(`${one(projectId, errorId)}/events/${encodeURIComponent(eventId)}/raw`, { signal }),
        staleTime: Infinity,
      }),
    /** No event reports that a release was announced. */
    announcedReleases: (projectId: number) => ({
      ...readJson<AnnouncedRelease[]>(
        ['announced-releases', projectId],
        `/api/v4/projects/${projectId}/error_tracking/releases`,
      ),
      refetchInterval: 60_000,
    }),
    intake: (projectId: number) => ({
      ...readJson<Intake>(['intake', projectId], `/api/v4/projects/${projectId}/error_tracking/intake`),
      refetchInterval: 30_000,
    }),
  };
}
