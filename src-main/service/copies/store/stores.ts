import type { StoreContext } from '../../database/store-context.ts';
import { copiesStore, type CopiesStore } from './copies-store.ts';
import { lateCopiesStore, type LateCopiesStore } from './late-copies-store.ts';
import { copyListStore, type CopyListStore } from './copy-list-store.ts';

export interface CopyStores {
  readonly copies: CopiesStore;
  readonly copyList: CopyListStore;
  readonly lateCopies: LateCopiesStore;
}

export function copyStores({ database, background }: StoreContext): CopyStores {
  return {
    copies: background(copiesStore(database)),
    copyList: copyListStore(database),
    lateCopies: lateCopiesStore(database),
  };
}
