import type { WebauthnKey } from '../contract/account-security.ts';
import type { WebauthnKeyRow } from './webauthn-keys-store.ts';

/** A security key as its owner sees it. */
export function webauthnKeyShape(row: WebauthnKeyRow): WebauthnKey {
  return {
    id: row.id,
    name: row.name,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  };
}
