import type { WebauthnKey } from '../../contract/account-security.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { WebauthnKeyRow } from '../store/webauthn-keys-store.ts';

/** The API representation of a security key. */
export function webauthnKeyShape(row: WebauthnKeyRow): WebauthnKey {
  return {
    id: row.id,
    name: row.name,
    created_at: isoTime(row.created_at),
    last_used_at: isoTime(row.last_used_at),
  };
}
