import type { StoreContext } from '../../database/store-context.ts';
import { timelineFills, type TimelineFills } from './fills-store.ts';
import { touchedRunsStore, type TouchedRunsStore } from './touched-runs-store.ts';
import { windowErrorsStore, type WindowErrorsStore } from './window-errors-store.ts';

export interface TimelineStores {
  readonly windowErrors: WindowErrorsStore;
  readonly touchedRuns: TouchedRunsStore;
  readonly timelineFills: TimelineFills;
}

export function timelineStores({ database, background }: StoreContext): TimelineStores {
  const { measurementTimes, errorMinutes } = timelineFills(database);
  return {
    windowErrors: windowErrorsStore(database),
    touchedRuns: touchedRunsStore(database),
    timelineFills: { measurementTimes: background(measurementTimes), errorMinutes: background(errorMinutes) },
  };
}
