import type { StoreContext } from '../database/store-context.ts';
import { tokensStore, type TokensStore } from './tokens-store.ts';

export interface TokenStores {
  readonly tokens: TokensStore;
}

export function tokenStores({ database, retried }: StoreContext): TokenStores {
  return { tokens: retried(tokensStore(database)) };
}
