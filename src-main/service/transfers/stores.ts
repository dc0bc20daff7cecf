import type { StoreContext } from '../database/store-context.ts';
import { pastTransfersStore, type PastTransfersStore } from './past-transfers-store.ts';
import { transfersStore, type TransfersStore } from './transfers-store.ts';

export interface TransferStores {
  readonly transfers: TransfersStore;
  readonly pastTransfers: PastTransfersStore;
}

export async function transferStores({
  database,
  idSource,
  cluster,
  background,
}: StoreContext): Promise<TransferStores> {
  return {
    transfers: background(await transfersStore(database, await idSource('downloads'), cluster)),
    pastTransfers: pastTransfersStore(database),
  };
}
