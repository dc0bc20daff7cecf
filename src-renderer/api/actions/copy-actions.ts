import type { CopiesAdded, CopyAction, CopyRequest, CopySettings, Job, ReceiptFile } from '../requests/types.ts';
import type { Api } from '../requests/request.ts';

/** Changes to copies on other servers. */
export function createCopyActions(api: Api) {
  return {
    addCopies: (request: CopyRequest) =>
      api.json<CopiesAdded>('/api/v4/local/copies', { method: 'POST', body: request }),
    actOnCopies: (action: CopyAction, ids: readonly number[] | 'all') =>
      api.json<{ changed: number }>('/api/v4/local/copies/actions', { method: 'POST', body: { action, ids } }),
    copyReceipt: (id: number) => api.json<ReceiptFile>(`/api/v4/local/copies/${id}/receipt`),
    restoreFromCopy: (id: string) =>
      api.json<Job>(`/api/v4/local/measurements/${encodeURIComponent(id)}/restore`, { method: 'POST', body: {} }),
    setCopySettings: (settings: CopySettings) =>
      api.json<CopySettings>('/api/v4/local/copy-settings', { method: 'PUT', body: settings }),
  };
}
