import type { StoreContext } from '../../database/store-context.ts';
import { benchesStore, type BenchesStore } from './benches-store.ts';
import { benchListStore, type BenchListStore } from './bench-list-store.ts';
import { reportedStore, type ReportedStore } from './reported-store.ts';

export interface FleetStores {
  readonly benches: BenchesStore;
  readonly benchList: BenchListStore;
  readonly reported: ReportedStore;
}

export function fleetStores({ database, retried }: StoreContext): FleetStores {
  return {
    benches: retried(benchesStore(database)),
    benchList: benchListStore(database),
    reported: reportedStore(database),
  };
}
