import type { StoreContext } from '../database/store-context.ts';
import { receiptsStore, type ReceiptsStore } from './receipts-store.ts';

export interface ReceiptStores {
  readonly receipts: ReceiptsStore;
}

export function receiptStores({ database, retried }: StoreContext): ReceiptStores {
  return { receipts: retried(receiptsStore(database)) };
}
