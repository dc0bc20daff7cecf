import { hash } from 'node:crypto';
import { sameText } from '../../http/csrf.ts';
import type { CodeRow, PresentedCode } from './token-rows.ts';

/** Why a code gives no token. `replayed` is the one that ends what the code gave before (RFC 6749 section 4.1.2). */
export type CodeRefusal =
  | 'unknown'
  | 'foreign'
  | 'replayed'
  | 'expired'
  | 'ended'
  | 'redirect-uri'
  | 'no-verifier'
  | 'verifier';

// RFC 7636 section 4.1, and the three characters of standard base64: git-credential-oauth 0.4 encodes its verifier with that.
const verifierShape = /^[A-Za-z0-9\-._~+/=]{43,128}$/;

/** Whether a code may become a token now. The client is known by then: a failed authentication never reaches a code. */
export function checkCode(row: CodeRow | undefined, presented: PresentedCode, now: number): CodeRefusal | null {
  if (!row) return 'unknown';
  // Before the replay: a client that gets hold of another's used code must not end the other's access.
  if (row.application_id !== presented.application.id) return 'foreign';
  if (row.used_at !== null) return 'replayed';
  if (row.grant_revoked_at !== null || row.user_state !== 'active') return 'ended';
  if (row.expires_at <= now) return 'expired';
  if (row.redirect_uri !== presented.redirectUri) return 'redirect-uri';
  if (row.code_challenge !== null && presented.verifier === null) return 'no-verifier';
  return verifierFits(row.code_challenge, presented.verifier) ? null : 'verifier';
}

// RFC 7636 section 4.6. A verifier for a code that was asked for without a challenge is refused too: somebody took the challenge out
// of the request (RFC 9700 section 2.1.1).
function verifierFits(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === null && verifier === null;
  return verifierShape.test(verifier) && sameText(hash('sha256', verifier, 'base64url'), challenge);
}
