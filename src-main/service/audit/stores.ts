import type { StoreContext } from '../database/store-context.ts';
import { auditListStore } from './audit-list-store.ts';
import { auditStore } from './audit-store.ts';

/** @param announce called after each new row. */
export function auditStores({ database, retried }: StoreContext, announce: () => void) {
  return { audit: retried(auditStore(database, announce)), auditList: auditListStore(database) };
}

export type AuditStores = ReturnType<typeof auditStores>;
