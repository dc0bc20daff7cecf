import type { StoreContext } from '../../database/store-context.ts';
import { copiesStore } from './copies-store.ts';
import { lateCopiesStore } from './late-copies-store.ts';
import { copyListStore } from './copy-list-store.ts';

export function copyStores({ database, background }: StoreContext) {
  return {
    copies: background(copiesStore(database)),
    copyList: copyListStore(database),
    lateCopies: lateCopiesStore(database),
  };
}

export type CopyStores = ReturnType<typeof copyStores>;
