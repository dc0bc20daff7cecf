import { statesBefore, type Transitions } from '../../../../src-shared/states/transitions.ts';
import { stateList } from '../../database/transition-sql.ts';
import { lifetimes } from '../shared/types.ts';
import type { CodeRow, RefreshRow } from './token-rows.ts';

/** A grant has ended when it was revoked; what it gave ends with it. */
type GrantStage = 'active' | 'ended';

/**
 * `revoke` is by the user, the client or an administrator; `replay` and `reuse` are a code and a
 * refresh token that come a second time (RFC 6749 section 4.1.2, RFC 9700 section 4.14.2).
 */
type GrantEvent = 'revoke' | 'replay' | 'reuse';

export const grantTransitions: Transitions<GrantStage, GrantEvent> = {
  active: { revoke: 'ended', replay: 'ended', reuse: 'ended' },
  ended: { revoke: 'ignored', replay: 'ignored', reuse: 'ignored' },
};

/**
 * The UPDATE that applies an event to the grants that `which` selects; its first two parameters are
 * the time.
 */
export function endGrants(event: GrantEvent, which: string): string {
  const stage = "iif(revoked_at IS NULL, 'active', 'ended')";
  const applies = `${stage} IN ${stateList(statesBefore(grantTransitions, event))}`;
  return `UPDATE oauth_grants SET revoked_at = ?, expires_at = min(expires_at, ?) WHERE ${which} AND ${applies}`;
}

export type CodeStage = 'unused' | 'used' | 'expired' | 'ended';

/** The effect on a code of an exchange by its own client with the right proof. */
export const codeTransitions: Transitions<CodeStage, 'exchange'> = {
  unused: { exchange: 'used' },
  // It ends its grant.
  used: { exchange: 'refused' },
  expired: { exchange: 'refused' },
  ended: { exchange: 'refused' },
};

/**
 * A used code stays used, however old and whatever became of its grant, so that its replay is
 * recognised.
 */
export function codeStageOf(row: CodeRow, now: number): CodeStage {
  if (row.used_at !== null) return 'used';
  if (row.grant_revoked_at !== null || row.user_state !== 'active') return 'ended';
  return row.expires_at <= now ? 'expired' : 'unused';
}

/** `repeatable` was refreshed, and its new token is not used yet; `replaced` is after that. */
export type RefreshStage = 'current' | 'repeatable' | 'replaced' | 'expired' | 'ended';

/**
 * The effect on a refresh token of a refresh by its own client. The first use of the new access token
 * and the end of the grace period make a repeatable one replaced.
 */
export const refreshTransitions: Transitions<RefreshStage, 'refresh' | 'use-of-next'> = {
  current: { refresh: 'repeatable', 'use-of-next': 'impossible' },
  repeatable: { refresh: 'ignored', 'use-of-next': 'replaced' },
  // It ends its grant.
  replaced: { refresh: 'refused', 'use-of-next': 'ignored' },
  expired: { refresh: 'refused', 'use-of-next': 'replaced' },
  ended: { refresh: 'refused', 'use-of-next': 'ignored' },
};

/** A replaced token stays so when it has expired, so that its reuse is recognised. */
export function refreshStageOf(row: RefreshRow, now: number): RefreshStage {
  if (row.grant_revoked_at !== null || row.user_state !== 'active') return 'ended';
  const wasRefreshed = row.refreshed_at !== null;
  if (wasRefreshed && (row.revoked_at !== null || now >= row.refreshed_at + lifetimes.refreshGrace)) return 'replaced';
  if (row.revoked_at !== null) return 'ended';
  // `refresh_expires_at` never exceeds the end of the grant, however often the token is refreshed.
  if (row.refresh_expires_at <= now) return 'expired';
  return wasRefreshed ? 'repeatable' : 'current';
}
