import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { AuditRetention } from '../requests/types.ts';

const path = '/api/v4/audit_events/retention';

/** Retention of the audit trail, for administrators. */
export function createRetentionQueries(api: Api) {
  return {
    auditRetention: () =>
      queryOptions({
        queryKey: ['audit', 'retention'],
        queryFn: ({ signal }) => api.json<AuditRetention>(path, { signal }),
      }),
  };
}

export function createRetentionActions(api: Api) {
  return {
    setAuditRetention: (change: Partial<AuditRetention>) =>
      api.json<AuditRetention>(path, { method: 'PUT', body: change }),
  };
}
