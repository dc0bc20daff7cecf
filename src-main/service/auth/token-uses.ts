import { putBounded } from '../common/bounded-map.ts';
import type { TokensStore, TokenUse } from '../tokens/tokens-store.ts';

export interface TokenUses {
  /** Records that a token was used; written later, off the request path. */
  note(tokenId: number, address: string | null): void;
  flush(): Promise<void>;
}

// As often as GitLab writes it: a token that is used a thousand times a second must not be written
// every five.
const writeEveryMs = 10 * 60_000;
// A laboratory uses fewer tokens at once; an evicted one is only written once more.
const capacity = 1000;

/**
 * Collects the last use of each token, one in ten minutes from each address; `flush` writes the
 * collected uses in one transaction.
 */
export function tokenUses(store: TokensStore): TokenUses {
  let pending: TokenUse[] = [];
  const written = new Map<number, { readonly since: number; readonly addresses: Set<string | null> }>();
  return {
    note: (tokenId, address) => {
      const at = Date.now();
      const before = written.get(tokenId);
      const recent = before && at - before.since < writeEveryMs ? before : null;
      if (recent?.addresses.has(address) === true) return;
      pending.push({ tokenId, at, address });
      if (recent) {
        recent.addresses.add(address);
        return;
      }
      putBounded(written, capacity, tokenId, { since: at, addresses: new Set([address]) });
    },
    flush: async () => {
      if (pending.length === 0) return;
      const uses = pending;
      pending = [];
      await store.recordUse(uses).catch((error: unknown) => {
        pending = [...uses, ...pending].slice(-capacity);
        throw error;
      });
    },
  };
}
