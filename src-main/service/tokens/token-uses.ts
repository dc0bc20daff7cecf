import type { TokensStore, TokenUse } from './tokens-store.ts';

export interface TokenUses {
  /** Notes that a token was used; written later, off the request path. */
  note(tokenId: number, address: string | null): void;
  flush(): Promise<void>;
}

/** Collects the last use of each token; `flush` writes what has gathered in one transaction. */
export function tokenUses(store: TokensStore): TokenUses {
  const pending = new Map<number, TokenUse>();
  return {
    note: (tokenId, address) => {
      pending.set(tokenId, { tokenId, at: Date.now(), address });
    },
    flush: async () => {
      if (pending.size === 0) return;
      const uses = [...pending.values()];
      pending.clear();
      await store.recordUse(uses);
    },
  };
}
