import { refreshStageOf, refreshTransitions, type RefreshStage } from './grant-states.ts';
import type { PresentedRefresh, RefreshRow } from './token-rows.ts';

/**
 * Reasons why a refresh is refused. `reused` also revokes the token family (RFC 9700 section
 * 4.14.2).
 */
export type RefreshRefusal = 'unknown' | 'foreign' | 'reused' | 'expired' | 'ended' | 'scope';

const refusals: Readonly<Record<RefreshStage, RefreshRefusal>> = {
  current: 'unknown',
  repeatable: 'unknown',
  replaced: 'reused',
  expired: 'expired',
  ended: 'ended',
};

/**
 * Checks whether a refresh token may be used; null when it may. A used one remains valid until its
 * new access token is first used or the grace period is over, so that a lost response or two
 * concurrent refreshes do not sign the user out.
 */
export function checkRefresh(row: RefreshRow | null, presented: PresentedRefresh, now: number): RefreshRefusal | null {
  if (!row) return 'unknown';
  if (row.application_id !== presented.application.id) return 'foreign';
  const stage = refreshStageOf(row, now);
  if (refreshTransitions[stage].refresh === 'refused') return refusals[stage];
  const held = row.scopes.split(' ');
  return presented.scopes === null || presented.scopes.every((scope) => held.includes(scope)) ? null : 'scope';
}
