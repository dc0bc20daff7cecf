import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { DiagnosticsPart, OwnErrorsState } from '../requests/types.ts';

const ownErrors = '/api/v4/application/own_errors';

/** Queries about Benchport itself. */
export function createOwnQueries(api: Api) {
  return {
    ownErrors: () =>
      queryOptions({
        queryKey: ['service', 'own-errors'],
        queryFn: ({ signal }) => api.json<OwnErrorsState>(ownErrors, { signal }),
      }),
    /** Never cached: it is the state at the time of the request. */
    diagnostics: () =>
      queryOptions({
        queryKey: ['diagnostics'],
        queryFn: ({ signal }) => api.json<DiagnosticsPart[]>('/api/v4/diagnostics', { signal }),
        staleTime: 0,
        gcTime: 0,
      }),
  };
}

/** Administrative actions on the service itself. */
export function createOwnActions(api: Api) {
  return {
    switchOwnErrors: (on: boolean) => api.json<OwnErrorsState>(ownErrors, { method: 'PUT', body: { on } }),
    diagnosticsZip: () => api.blob('/api/v4/diagnostics.zip'),
  };
}
