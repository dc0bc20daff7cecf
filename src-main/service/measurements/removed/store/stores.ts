import type { StoreContext } from '../../../database/store-context.ts';
import { removedStore } from './removed-store.ts';

export function removedStores({ database, retried }: StoreContext) {
  return { removed: retried(removedStore(database)) };
}

export type RemovedStores = ReturnType<typeof removedStores>;
