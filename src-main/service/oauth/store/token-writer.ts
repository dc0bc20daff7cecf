import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../database/port/database.ts';
import { write, writeValue } from '../../database/port/query.ts';
import { returning, run } from '../../database/port/steps.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { lifetimes, type IssuedToken } from '../shared/types.ts';

/** A new code or token: 256 random bits in hexadecimal. */
export const newSecret = (): string => randomBytes(32).toString('hex');

// Inserts nothing when the account or the application was removed or blocked concurrently.
const insertGrant = writeValue<
  [number | null, string, string, number, number, number, number | null, number | null],
  number
>(
  `INSERT INTO oauth_grants (application_id, user_id, kind, scopes, created_at, expires_at)
     SELECT ?, id, ?, ?, ?, ? FROM users WHERE id = ? AND state = 'active' AND (CAST(? AS bigint) IS NULL OR EXISTS (SELECT 1 FROM oauth_applications WHERE id = ?)) RETURNING id`,
);
const insertToken = write<[number, Buffer, Buffer | null, string, number, number, number | null, number | null]>(
  `INSERT INTO oauth_tokens (grant_id, access_hash, refresh_hash, scopes, created_at, expires_at, refresh_expires_at, previous_id)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
);

/**
 * Adds a grant within a transaction.
 *
 * @param end of the grant, in milliseconds since 1970.
 * @returns the id of the grant; null when the account is not active or the application is gone.
 */
export function* addGrant(
  kind: string,
  applicationId: number | null,
  userId: number,
  scopes: string,
  now: number,
  end: number,
): Transaction<number | null> {
  return yield* returning(insertGrant, applicationId, kind, scopes, now, end, userId, applicationId, applicationId);
}

/**
 * Adds a token within a transaction; only its SHA-256 is stored.
 *
 * @param refreshUntil expiry of the refresh token in milliseconds since 1970; null for none.
 * @param previousId the token that was refreshed; null for the first one of a grant.
 */
export function* addToken(
  grantId: number,
  scopes: string,
  now: number,
  refreshUntil: number | null,
  previousId: number | null,
): Transaction<IssuedToken> {
  const accessToken = newSecret();
  const refreshToken = refreshUntil === null ? null : newSecret();
  const refreshHash = refreshToken === null ? null : secretDigest(refreshToken);
  yield* run(
    insertToken,
    grantId,
    secretDigest(accessToken),
    refreshHash,
    scopes,
    now,
    now + lifetimes.accessToken,
    refreshUntil,
    previousId,
  );
  return {
    accessToken,
    refreshToken,
    expiresIn: lifetimes.accessToken / 1000,
    scopes: scopes === '' ? [] : scopes.split(' '),
    createdAt: Math.floor(now / 1000),
  };
}
