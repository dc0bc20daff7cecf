import type { Transitions } from '../../../../../src-shared/states/transitions.ts';

/**
 * Stages of a removed measurement: its rows are being put aside, it is kept, its rows are being put
 * back, or it is being removed for good. One that is restored or purged has no row.
 */
export type RemovedStage = 'leaving' | 'kept' | 'restoring' | 'purging';

/** `settle` ends the putting aside; `purge` is the end of its days, or a person's wish. */
export type RemovedEvent = 'settle' | 'restore' | 'purge';

export const removedTransitions: Transitions<RemovedStage, RemovedEvent> = {
  // A restore or purge first finishes moving the rows of a measurement that is leaving.
  leaving: { settle: 'kept', restore: 'refused', purge: 'refused' },
  kept: { settle: 'ignored', restore: 'restoring', purge: 'purging' },
  restoring: { settle: 'ignored', restore: 'refused', purge: 'refused' },
  purging: { settle: 'ignored', restore: 'refused', purge: 'ignored' },
};
