import type { StoreContext } from '../../database/store-context.ts';
import { benchesStore } from './benches-store.ts';
import { benchListStore } from './bench-list-store.ts';
import { reportedStore } from './reported-store.ts';

export function fleetStores({ database, retried }: StoreContext) {
  return {
    benches: retried(benchesStore(database)),
    benchList: benchListStore(database),
    reported: reportedStore(database),
  };
}

export type FleetStores = ReturnType<typeof fleetStores>;
