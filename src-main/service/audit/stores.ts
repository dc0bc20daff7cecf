import type { StoreContext } from '../database/store-context.ts';
import { auditListStore, type AuditListStore } from './audit-list-store.ts';
import { auditStore, type AuditStore } from './audit-store.ts';

export interface AuditStores {
  readonly audit: AuditStore;
  readonly auditList: AuditListStore;
}

/** @param announce called after each new row. */
export function auditStores({ database, retried }: StoreContext, announce: () => void): AuditStores {
  return { audit: retried(auditStore(database, announce)), auditList: auditListStore(database) };
}
