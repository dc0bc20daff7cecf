import { errorsPath } from '../queries/error-queries.ts';
import type { Api } from '../requests/request.ts';
import type { ErrorStatus, Merged } from '../requests/types.ts';

/** Changes to errors. */
export function createErrorActions(api: Api) {
  return {
    setErrorStatus: (projectId: number, ids: readonly string[], status: ErrorStatus) =>
      api.nothing(errorsPath(projectId), { method: 'PUT', body: { ids, status } }),
    deleteErrors: (projectId: number, ids: readonly string[]) =>
      api.nothing(errorsPath(projectId), { method: 'DELETE', body: { ids } }),
    mergeErrors: (projectId: number, ids: readonly string[]) =>
      api.json<Merged>(`${errorsPath(projectId)}/merge`, { method: 'POST', body: { ids } }),
    unmergeGroups: (projectId: number, errorId: string, groups: readonly string[]) =>
      api.json<{ id: string }>(`${errorsPath(projectId)}/${encodeURIComponent(errorId)}/unmerge`, {
        method: 'POST',
        body: { groups },
      }),
  };
}
