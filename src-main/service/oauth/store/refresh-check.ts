import type { PresentedRefresh, RefreshRow } from './token-rows.ts';
import { lifetimes } from '../shared/types.ts';

/**
 * Reasons why a refresh is refused. `reused` also revokes the token family (RFC 9700 section
 * 4.14.2).
 */
export type RefreshRefusal = 'unknown' | 'foreign' | 'reused' | 'expired' | 'ended' | 'scope';

/**
 * Checks whether a refresh token may be used; null when it may. A used one remains valid until its
 * new access token is first used or the grace period is over, so that a lost response or two
 * concurrent refreshes do not sign the user out.
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
  // `refresh_expires_at` never exceeds the end of the grant, however often the token is refreshed.
  if (row.refresh_expires_at <= now) return 'expired';
  const held = row.scopes.split(' ');
  return presented.scopes === null || presented.scopes.every((scope) => held.includes(scope)) ? null : 'scope';
}
