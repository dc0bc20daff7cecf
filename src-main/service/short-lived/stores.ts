import type { StoreContext } from '../database/store-context.ts';
import { shortLivedStore, type ShortLivedStore } from './short-lived-store.ts';

export interface ShortLivedStores {
  /** State between two steps of a sign-in. */
  readonly shortLived: ShortLivedStore;
}

export function shortLivedStores({ database, retried }: StoreContext): ShortLivedStores {
  return { shortLived: retried(shortLivedStore(database)) };
}
