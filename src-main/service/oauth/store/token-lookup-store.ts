import type { Database } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import { endGrants } from './grant-states.ts';
import type { TokenFacts } from './token-rows.ts';

/** The grant, application and user of a token, valid or not. */
export interface TokenOwner {
  readonly grant_id: number;
  readonly application_id: number | null;
  readonly user_id: number;
}

/** Finds tokens and revokes their grants. */
export interface TokenLookups {
  /** A valid token by the digest of its access token. */
  byAccessToken(accessHash: Buffer, now: number): Promise<TokenFacts | null>;
  /**
   * A token that can be refreshed, by the digest of its refresh token; its access token may have
   * expired.
   */
  byRefreshToken(refreshHash: Buffer, now: number): Promise<TokenFacts | null>;
  /**
   * The owner of a token by the digest of either half, even when expired; null when its grant has
   * ended.
   */
  anyToken(hash: Buffer): Promise<TokenOwner | null>;
  /**
   * Records the first use of an access token, which retires the previous token of its family.
   * @returns whether one was retired.
   */
  firstUse(token: Pick<TokenFacts, 'id' | 'previous_id'>): Promise<boolean>;
  /**
   * Revokes a grant with its codes and tokens. The caller invalidates the caches. @returns false
   * when it was already revoked.
   */
  revokeGrant(grantId: number): Promise<boolean>;
}

const facts = `SELECT token.id, grant_id, application_id, client_id, user_id, username, is_admin, token.scopes, token.created_at, token.expires_at,
    refresh_expires_at, previous_id, first_used_at, refreshed_at
  FROM oauth_tokens AS token
  JOIN oauth_grants AS g ON g.id = grant_id AND g.revoked_at IS NULL
  JOIN users ON users.id = user_id AND users.state = 'active'
  LEFT JOIN oauth_applications AS application ON application.id = application_id
  WHERE token.revoked_at IS NULL`;

const byAccess = read<[Buffer, number], TokenFacts>(`${facts} AND access_hash = ? AND token.expires_at > ?`);
const byRefresh = read<[Buffer, number], TokenFacts>(`${facts} AND refresh_hash = ? AND refresh_expires_at > ?`);
const anyToken = read<[Buffer, Buffer], TokenOwner>(
  `SELECT grant_id, application_id, user_id FROM oauth_tokens JOIN oauth_grants AS g ON g.id = grant_id AND g.revoked_at IS NULL
   WHERE access_hash = ? OR refresh_hash = ?`,
);
const recordUse = write<[number, number]>(
  'UPDATE oauth_tokens SET first_used_at = ? WHERE id = ? AND first_used_at IS NULL',
);
const retire = write<[number, number]>('UPDATE oauth_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
const revokeGrant = write<[number, number, number]>(endGrants('revoke', 'id = ?'));

/** Tokens, looked up by digest. */
export function tokenLookups(database: Database): TokenLookups {
  return {
    byAccessToken: async (accessHash, now) => database.one(byAccess, accessHash, now),
    byRefreshToken: async (refreshHash, now) => database.one(byRefresh, refreshHash, now),
    anyToken: async (hash) => database.one(anyToken, hash, hash),
    firstUse: async (token) =>
      database.grouped(function* () {
        const now = Date.now();
        yield* run(recordUse, now, token.id);
        return token.previous_id !== null && (yield* run(retire, now, token.previous_id)) > 0;
      }),
    revokeGrant: async (grantId) =>
      database.grouped(function* () {
        const now = Date.now();
        return (yield* run(revokeGrant, now, now, grantId)) > 0;
      }),
  };
}
