import type { PresentedRefresh, RefreshRow } from './token-rows.ts';
import { lifetimes } from '../shared/types.ts';

/** Why a refresh token gives no token. `reused` is the one that ends the family (RFC 9700 section 4.14.2). */
export type RefreshRefusal = 'unknown' | 'foreign' | 'reused' | 'expired' | 'ended' | 'scope';

/**
 * Whether a refresh token may be used now. A used one works again until the access token it gave is first used or the time of grace is over:
 * an answer that got lost, or two refreshes at once, must not sign an honest user out.
 */
export function checkRefresh(
  row: RefreshRow | undefined,
  presented: PresentedRefresh,
  now: number,
): RefreshRefusal | null {
  if (!row) return 'unknown';
  if (row.application_id !== presented.application.id) return 'foreign';
  if (row.grant_revoked_at !== null || row.user_state !== 'active') return 'ended';
  if (row.refreshed_at !== null && (row.revoked_at !== null || now >= row.refreshed_at + lifetimes.refreshGrace))
    return 'reused';
  if (row.revoked_at !== null) return 'ended';
  // Never later than the end of the grant, however often it is refreshed.
  if (row.refresh_expires_at <= now) return 'expired';
  const held = row.scopes.split(' ');
  return presented.scopes === null || presented.scopes.every((scope) => held.includes(scope)) ? null : 'scope';
}
