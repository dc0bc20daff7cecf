import type { StoreContext } from '../../../database/store-context.ts';
import type { RemovedStore } from './removed-rows.ts';
import { removedStore } from './removed-store.ts';

export interface RemovedStores {
  readonly removed: RemovedStore;
}

export function removedStores({ database, retried }: StoreContext): RemovedStores {
  return { removed: retried(removedStore(database)) };
}
