import type { StoreContext } from '../database/store-context.ts';
import { endingTokensStore, type EndingTokensStore } from './ending-tokens-store.ts';
import { tokensStore, type TokensStore } from './tokens-store.ts';

export interface TokenStores {
  readonly tokens: TokensStore;
  readonly endingTokens: EndingTokensStore;
}

export function tokenStores({ database, retried }: StoreContext): TokenStores {
  return { tokens: retried(tokensStore(database)), endingTokens: endingTokensStore(database) };
}
