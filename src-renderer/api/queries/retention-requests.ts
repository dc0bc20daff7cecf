import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type { AuditRetention } from '../requests/types.ts';

const path = '/api/v4/audit_events/retention';

/** Retention of the audit trail, for administrators. */
export function createRetentionQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    auditRetention: () => readJson<AuditRetention>(['audit', 'retention'], path),
  };
}

export function createRetentionActions(api: Api) {
  return {
    setAuditRetention: (change: Partial<AuditRetention>) =>
      api.json<AuditRetention>(path, { method: 'PUT', body: change }),
  };
}
