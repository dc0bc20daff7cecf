import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type { DiagnosticsPart, OutgoingSettings, OwnErrorsState } from '../requests/types.ts';

const ownErrors = '/api/v4/application/own_errors';
const outgoing = '/api/v4/application/outgoing';

/** Queries about Benchport itself. */
export function createOwnQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    ownErrors: () => readJson<OwnErrorsState>(['service', 'own-errors'], ownErrors),
    outgoingSettings: () => readJson<OutgoingSettings>(['service', 'outgoing'], outgoing),
    /** Never cached: it is the state at the time of the request. */
    diagnostics: () => ({
      ...readJson<DiagnosticsPart[]>(['diagnostics'], '/api/v4/diagnostics'),
      staleTime: 0,
      gcTime: 0,
    }),
  };
}

/** Administrative actions on the service itself. */
export function createOwnActions(api: Api) {
  return {
    switchOwnErrors: (on: boolean) => api.json<OwnErrorsState>(ownErrors, { method: 'PUT', body: { on } }),
    setOutgoing: (allowed: readonly string[]) =>
      api.json<OutgoingSettings>(outgoing, { method: 'PUT', body: { allowed } }),
    diagnosticsZip: () => api.blob('/api/v4/diagnostics.zip'),
  };
}
