import type { StoreContext } from '../../database/store-context.ts';
import { captureListStore } from './capture-list-store.ts';
import { captureRulesStore } from './capture-rules-store.ts';
import { captureRunsStore } from './capture-runs-store.ts';

export function captureStores({ database, background }: StoreContext) {
  return {
    captureRules: background(captureRulesStore(database)),
    captureRuns: background(captureRunsStore(database)),
    captureList: captureListStore(database),
  };
}

export type CaptureStores = ReturnType<typeof captureStores>;
