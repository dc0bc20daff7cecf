import type { StoreContext } from '../database/store-context.ts';
import { pastTransfersStore, type PastTransfersStore } from './past-transfers-store.ts';
import { transfersStore, type TransfersStore } from './transfers-store.ts';

export interface TransferStores {
  readonly transfers: TransfersStore;
  readonly pastTransfers: PastTransfersStore;
}

export function transferStores({ database, connection, background }: StoreContext): TransferStores {
  return { transfers: background(transfersStore(connection)), pastTransfers: pastTransfersStore(database) };
}
