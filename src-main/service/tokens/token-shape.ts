import type { PersonalAccessToken } from '../contract/accounts.ts';
import { isoTime } from '../common/iso-time.ts';
import { addressesOf } from './token-addresses.ts';
import type { TokenRow } from './token-rows.ts';

/** A personal access token in GitLab's shape, without the token. */
export function tokenShape(row: TokenRow, now: number): PersonalAccessToken {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    revoked: row.revoked_at !== null,
    active: isActive(row, now),
    scopes: row.scopes.split(' '),
    user_id: row.user_id,
    created_at: isoTime(row.created_at),
    last_used_at: isoTime(row.last_used_at),
    last_used_ips: addressesOf(row.last_used_address),
    expires_at: isoTime(row.expires_at)?.slice(0, 10) ?? null,
  };
}

/** Whether a token is valid now, apart from its user, who may be blocked. */
export function isActive(row: TokenRow, now: number): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > now);
}
