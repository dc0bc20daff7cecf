import type { Api } from '../requests/request.ts';
import type { Sharing, SharingChange, SharingTest } from '../requests/types.ts';

/** Changes to sharing and to running transfers. */
export function createSharingActions(api: Api) {
  return {
    changeSharing: (change: SharingChange) =>
      api.json<Sharing>('/api/v4/local/sharing', { method: 'PATCH', body: change }),
    testSharing: () => api.json<SharingTest>('/api/v4/local/sharing/test', { method: 'POST', body: {} }),
    endTransfer: (id: number) => api.nothing(`/api/v4/transfers/running/${id}/end`, { method: 'POST', body: {} }),
  };
}
