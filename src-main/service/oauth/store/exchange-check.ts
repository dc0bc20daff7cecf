import { hash } from 'node:crypto';
import { offers } from '../../../../src-shared/states/transitions.ts';
import { sameText } from '../../http/csrf.ts';
import { codeStageOf, codeTransitions, type CodeStage } from './grant-states.ts';
import type { CodeRow, PresentedCode } from './token-rows.ts';

/**
 * Reasons why a code yields no token. `replayed` also revokes the tokens that the code yielded (RFC
 * 6749 section 4.1.2).
 */
export type CodeRefusal =
  | 'unknown'
  | 'foreign'
  | 'replayed'
  | 'expired'
  | 'ended'
  | 'redirect-uri'
  | 'no-verifier'
  | 'verifier';

const refusals: Readonly<Record<CodeStage, CodeRefusal>> = {
  unused: 'unknown',
  used: 'replayed',
  expired: 'expired',
  ended: 'ended',
};
// RFC 7636 section 4.1, and three characters of standard base64, which git-credential-oauth 0.4
// uses for its verifier.
const verifierShape = /^[A-Za-z0-9\-._~+/=]{43,128}$/;

/**
 * Checks whether a code may be exchanged; null when it may. The client is authenticated before, so
 * that a failed authentication never uses a code up.
 */
export function checkCode(row: CodeRow | null, presented: PresentedCode, now: number): CodeRefusal | null {
  if (!row) return 'unknown';
  // Checked before the replay: a client that obtained another's used code must not revoke the
  // other's access.
  if (row.application_id !== presented.application.id) return 'foreign';
  const stage = codeStageOf(row, now);
  if (!offers(codeTransitions, stage, 'exchange')) return refusals[stage];
  if (row.redirect_uri !== presented.redirectUri) return 'redirect-uri';
  if (row.code_challenge !== null && presented.verifier === null) return 'no-verifier';
  return verifierMatches(row.code_challenge, presented.verifier) ? null : 'verifier';
}

// RFC 7636 section 4.6. A verifier for a code without a challenge is refused too, because the
// challenge was removed from the request on the way (RFC 9700 section 2.1.1).
function verifierMatches(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === null && verifier === null;
  return verifierShape.test(verifier) && sameText(hash('sha256', verifier, 'base64url'), challenge);
}
