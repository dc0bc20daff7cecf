import type { ChangeCounter } from '../database/change-counter.ts';
import { scopes as knownScopes, type Scope } from '../contract/scopes.ts';
import type { Principal } from './principal.ts';
import { isPersonalAccessToken, secretDigest } from './token-format.ts';
import type { TokensStore } from './tokens-store.ts';

export interface TokenResolver {
  /** @returns null for a token that is unknown, expired or revoked, or whose user is blocked: alike. */
  resolve(token: string): Promise<Principal | null>;
}

interface Known {
  readonly principal: Principal;
  readonly expiresAt: number;
}

// More tokens than this in use at once is not a lab; the oldest entry goes.
const capacity = 1000;

/**
 * Finds who a token belongs to. Answers are kept until anything that could change them changes, in this process or in another one
 * (see ChangeCounter), so a revocation holds with the very next request.
 */
export function tokenResolver(store: TokensStore, changes: ChangeCounter): TokenResolver {
  const cache = new Map<string, Known>();
  let cachedAt = changes.current();

  async function lookUp(token: string): Promise<Principal | null> {
    const now = Date.now();
    const generation = changes.current();
    if (generation !== cachedAt) {
      cache.clear();
      cachedAt = generation;
    }
    // By the token itself, not by its digest: digest and check characters cost more than everything else here.
    const known = cache.get(token);
    if (known && known.expiresAt > now) return known.principal;
    // The check characters refuse a mistyped or made-up token without a look at the database.
    if (!isPersonalAccessToken(token)) return null;
    const digest = secretDigest(token);
    // Compared by an indexed look-up of the digest: what its timing could tell is about the digest, not about the token.
    const row = await store.usable(digest, now);
    if (!row) return null;
    const principal: Principal = {
      userId: row.user_id,
      username: row.username,
      isAdmin: row.is_admin === 1,
      kind: 'token',
      tokenId: row.id,
      oauth: null,
      scopes: new Set(row.scopes.split(' ').filter(isScope)),
      stillValid: async () => (await lookUp(token)) !== null,
    };
    if (cache.size >= capacity) cache.delete(cache.keys().next().value ?? '');
    cache.set(token, { principal, expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY });
    return principal;
  }

  return { resolve: lookUp };
}

function isScope(text: string): text is Scope {
  return (knownScopes as readonly string[]).includes(text);
}
