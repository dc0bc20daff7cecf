import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { ErrorPageOfProjects, ManagedUser, MeasurementSummary, PersonalAccessToken } from '../requests/types.ts';

/** How many of each kind the palette offers. */
export const paletteFew = 5;

/** Suggestions while the user types: a failed request is not retried. */
const guess = { retry: false, staleTime: 10_000, gcTime: 30_000 } as const;

/**
 * A few results of each search for the command palette. A request is aborted when the text changes.
 */
export function createPaletteQueries(api: Api) {
  const query = { page: 1, per_page: paletteFew };
  return {
    paletteMeasurements: (search: string) =>
      queryOptions({
        ...guess,
        queryKey: ['measurements', 'palette', search],
        queryFn: async ({ signal }) =>
          (
            await api.page<MeasurementSummary>('/api/v4/measurements', {
              signal,
              query: { ...query, search, sort: 'created_at', order: 'desc' },
            })
          ).items,
      }),
    paletteTokens: (userId: number, search: string) =>
      queryOptions({
        ...guess,
        queryKey: ['tokens', 'palette', userId, search],
        queryFn: async ({ signal }) =>
          (
            await api.page<PersonalAccessToken>('/api/v4/personal_access_tokens', {
              signal,
              query: { ...query, user_id: userId, state: 'active', search },
            })
          ).items,
      }),
    paletteErrors: (search: string) =>
      queryOptions({
        ...guess,
        queryKey: ['errors', 'all', 'palette', search],
        queryFn: async ({ signal }) =>
          (
            await api.json<ErrorPageOfProjects>('/api/v4/errors', {
              signal,
              query: { query: search, sort: 'last_seen', limit: paletteFew, cursor: '' },
            })
          ).errors,
      }),
    /** Administrators only. */
    paletteUsers: (search: string) =>
      queryOptions({
        ...guess,
        queryKey: ['users', 'palette', search],
        queryFn: async ({ signal }) =>
          (
            await api.page<ManagedUser>('/api/v4/users/managed', {
              signal,
              query: { ...query, search, state: null, sort: 'username', order: 'asc' },
            })
          ).items,
      }),
  };
}
