import { queryOptions, type QueryKey } from '@tanstack/react-query';
import type { Api, QueryValues } from '../requests/request.ts';
import type { ErrorPageOfProjects, ManagedUser, MeasurementSummary, PersonalAccessToken } from '../requests/types.ts';

/** How many of each kind the palette offers. */
export const paletteFew = 5;

/** Suggestions while the user types: a failed request is not retried. */
const guess = { retry: false, staleTime: 10_000, gcTime: 30_000 } as const;

/**
 * A few results of each search for the command palette. A request is aborted when the text changes.
 */
export function createPaletteQueries(api: Api) {
  /** The items of the first page alone. */
  const few = <T>(queryKey: QueryKey, path: string, query: QueryValues) =>
    queryOptions({
      ...guess,
      queryKey,
      queryFn: async ({ signal }) =>
        (await api.page<T>(path, { signal, query: { page: 1, per_page: paletteFew, ...query } })).items,
    });
  return {
    paletteMeasurements: (search: string) =>
      few<MeasurementSummary>(['measurements', 'palette', search], '/api/v4/measurements', {
        search,
        sort: 'created_at',
        order: 'desc',
      }),
    paletteTokens: (userId: number, search: string) =>
      few<PersonalAccessToken>(['tokens', 'palette', userId, search], '/api/v4/personal_access_tokens', {
        user_id: userId,
        state: 'active',
        search,
      }),
    paletteErrors: (search: string) =>
      queryOptions({
        ...guess,
        queryKey: ['errors', 'all', 'palette', search],
        queryFn: async ({ signal }) => {
          const query = { query: search, sort: 'last_seen', limit: paletteFew, cursor: '' };
          return (await api.json<ErrorPageOfProjects>('/api/v4/errors', { signal, query })).errors;
        },
      }),
    /** Administrators only. */
    paletteUsers: (search: string) =>
      few<ManagedUser>(['users', 'palette', search], '/api/v4/users/managed', {
        search,
        state: null,
        sort: 'username',
        order: 'asc',
      }),
  };
}
