import type { StoreContext } from '../../database/store-context.ts';
import { timelineFills } from './fills-store.ts';
import { touchedRunsStore } from './touched-runs-store.ts';
import { windowErrorsStore } from './window-errors-store.ts';

export function timelineStores({ database, background }: StoreContext) {
  const { measurementTimes, errorMinutes } = timelineFills(database);
  return {
    windowErrors: windowErrorsStore(database),
    touchedRuns: touchedRunsStore(database),
    timelineFills: { measurementTimes: background(measurementTimes), errorMinutes: background(errorMinutes) },
  };
}

export type TimelineStores = ReturnType<typeof timelineStores>;
