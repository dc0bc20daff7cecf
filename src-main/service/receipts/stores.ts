import type { StoreContext } from '../database/store-context.ts';
import { receiptsStore } from './receipts-store.ts';

export function receiptStores({ database, retried }: StoreContext) {
  return { receipts: retried(receiptsStore(database)) };
}

export type ReceiptStores = ReturnType<typeof receiptStores>;
