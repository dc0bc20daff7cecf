import type { StoreContext } from '../database/store-context.ts';
import { endingTokensStore } from './ending-tokens-store.ts';
import { tokensStore } from './tokens-store.ts';

export function tokenStores({ database, retried }: StoreContext) {
  return { tokens: retried(tokensStore(database)), endingTokens: endingTokensStore(database) };
}

export type TokenStores = ReturnType<typeof tokenStores>;
