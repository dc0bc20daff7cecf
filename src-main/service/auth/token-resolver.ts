import type { ChangeCounter } from '../database/change-counter.ts';
import { QueryCache } from '../database/query-cache.ts';
import { scopes as knownScopes, type Scope } from '../contract/scopes.ts';
import type { TokenLookups } from '../oauth/store/token-lookup-store.ts';
import { reachesStill, type Principal } from '../http/principal.ts';
import { isPersonalAccessToken } from '../tokens/token-format.ts';
import { secretDigest } from '../secrets/secret-digest.ts';
import type { TokensStore } from '../tokens/tokens-store.ts';

export interface TokenResolver {
  /**
   * @returns null, without distinction, for a token that is unknown, expired or revoked, or whose
   * user is blocked.
   */
  resolve(token: string, address?: string): Promise<Principal | null>;
  /** Resolves like `resolve`, and adds the times and the client of the token. */
  describe(token: string, address?: string): Promise<KnownToken | null>;
  /**
   * Describes an OAuth access token without using it: the token that it replaces stays valid. Null
   * for any other token.
   */
  inspect(token: string): Promise<KnownToken | null>;
  /** The principal from the cache alone; null also when a look-up would be needed. */
  peek(token: string): Principal | null;
}

export interface KnownToken {
  readonly principal: Principal;
  /** Milliseconds since 1970; infinite for a personal access token without an end. */
  readonly expiresAt: number;
  /** Milliseconds since 1970; null for personal access tokens. */
  readonly createdAt: number | null;
  /** Null for personal access tokens, and for the password grant without an application. */
  readonly clientId: string | null;
}

export interface ResolverDeps {
  readonly tokens: TokensStore;
  readonly oauth: TokenLookups;
  readonly changes: ChangeCounter;
  /**
   * Called with the digest of each well-formed personal access token that is not valid: reuse of a
   * rotated one ends its family.
   */
  readonly onReuse: (tokenHash: Buffer, address: string | null) => Promise<void>;
}

// A laboratory uses fewer tokens at once.
const capacity = 1000;
const accessTokenShape = /^[0-9a-f]{64}$/;

/**
 * Finds the user of a token. Answers are cached until anything that could change them changes, in
 * this process or in another one (see ChangeCounter), so a revocation is effective with the very
 * next request.
 */
export function tokenResolver({ tokens, oauth, changes, onReuse }: ResolverDeps): TokenResolver {
  const cache = new QueryCache<KnownToken>(changes, capacity);
  // Tokens that were inspected, and may not have been used yet.
  const inspected = new QueryCache<KnownToken>(changes, capacity);

  function known(token: string): KnownToken | null {
    // The key is the token itself, not its digest: computing the digest and check characters costs
    // more than the rest of this function.
    return alive(cache.get(token));
  }

  async function lookUp(token: string, address: string | null = null): Promise<KnownToken | null> {
    return alive(
      await cache.find(token, async () =>
        accessTokenShape.test(token) ? accessToken(token, true) : personalToken(token, address),
      ),
    );
  }

  async function inspect(token: string): Promise<KnownToken | null> {
    const used = known(token);
    if (used) return used.principal.kind === 'oauth' ? used : null;
    return accessTokenShape.test(token)
      ? alive(await inspected.find(token, async () => accessToken(token, false)))
      : null;
  }

  async function personalToken(token: string, address: string | null): Promise<KnownToken | null> {
    // The check characters reject a mistyped or invented token without reading the database.
    if (!isPersonalAccessToken(token)) return null;
    const digest = secretDigest(token);
    // Compared by an indexed look-up of the digest: its timing could reveal the digest, not the
    // token.
    const row = await tokens.usable(digest, Date.now());
    if (!row) {
      await onReuse(digest, address);
      return null;
    }
    const principal: Principal = {
      userId: row.user_id,
      username: row.username,
      isAdmin: row.is_admin === 1,
      kind: 'token',
      tokenId: row.id,
      oauth: null,
      scopes: scopeSet(row.scopes),
      stillValid: async () => reachesStill(row.is_admin === 1, (await lookUp(token))?.principal),
    };
    return { principal, expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY, createdAt: null, clientId: null };
  }

  async function accessToken(token: string, use: boolean): Promise<KnownToken | null> {
    const digest = secretDigest(token);
    let row = await oauth.byAccessToken(digest, Date.now());
    if (row && use && row.first_used_at === null) {
      // The token that this one replaced is invalid from now on, on disk too, before this one gives
      // access.
      if (await oauth.firstUse(row)) changes.bump();
      // During the write this token may have been revoked.
      row = await oauth.byAccessToken(digest, Date.now());
    }
    if (!row) return null;
    const principal: Principal = {
      userId: row.user_id,
      username: row.username,
      isAdmin: row.is_admin === 1,
      kind: 'oauth',
      tokenId: null,
      oauth: { tokenId: row.id, grantId: row.grant_id, applicationId: row.application_id },
      scopes: scopeSet(row.scopes),
      stillValid: async () => reachesStill(row.is_admin === 1, (await lookUp(token))?.principal),
    };
    return { principal, expiresAt: row.expires_at, createdAt: row.created_at, clientId: row.client_id };
  }

  return {
    resolve: async (token, address) => (await lookUp(token, address))?.principal ?? null,
    describe: lookUp,
    inspect,
    peek: (token) => known(token)?.principal ?? null,
  };
}

function alive(found: KnownToken | null | undefined): KnownToken | null {
  return found && found.expiresAt > Date.now() ? found : null;
}

function scopeSet(scopes: string): ReadonlySet<Scope> {
  return new Set(scopes.split(' ').filter(isScope));
}

function isScope(text: string): text is Scope {
  return (knownScopes as readonly string[]).includes(text);
}
