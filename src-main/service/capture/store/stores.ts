import type { StoreContext } from '../../database/store-context.ts';
import { captureListStore, type CaptureListStore } from './capture-list-store.ts';
import { captureRulesStore, type CaptureRulesStore } from './capture-rules-store.ts';
import { captureRunsStore, type CaptureRunsStore } from './capture-runs-store.ts';

export interface CaptureStores {
  readonly captureRules: CaptureRulesStore;
  readonly captureRuns: CaptureRunsStore;
  readonly captureList: CaptureListStore;
}

export function captureStores({ database, background }: StoreContext): CaptureStores {
  return {
    captureRules: background(captureRulesStore(database)),
    captureRuns: background(captureRunsStore(database)),
    captureList: captureListStore(database),
  };
}
