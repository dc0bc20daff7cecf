import type { StoreContext } from '../database/store-context.ts';
import { shortLivedStore } from './short-lived-store.ts';

export function shortLivedStores({ database, retried }: StoreContext) {
  return {
    /** State between two steps of a sign-in. */
    shortLived: retried(shortLivedStore(database)),
  };
}

export type ShortLivedStores = ReturnType<typeof shortLivedStores>;
