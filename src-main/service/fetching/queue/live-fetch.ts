import type { FetchProgress, FetchRun } from '../engine/types.ts';
import { fetchTransitions, type FetchStage } from '../../../../src-shared/states/fetch-states.ts';
import { nextOf, offers } from '../../../../src-shared/states/transitions.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import { untroubled, type FetchChange } from './after-run.ts';
import type { RateMeter } from './rate-meter.ts';

/** A fetch that is running in the engine. */
export interface LiveFetch {
  /** The row as it was at the start. */
  readonly row: FetchRow;
  /** Whether this run verifies files already fetched. */
  readonly verifying: boolean;
  readonly run: FetchRun;
  readonly meter: RateMeter;
  /**
   * Bytes per second at the last tick, stored so that each fetch and the total show consistent
   * numbers.
   */
  rate: number;
  /** Monotonic time. */
  readonly startedAt: number;
  /** Identifies the disk it writes to. */
  readonly disk: string;
  /** Bytes it will still write, as far as known. */
  bytesToReceive: number;
  /** Total bytes; null until the server has sent them. */
  bytesTotal: number | null;
  /** Whether free space was checked against the total, which is known only after the start. */
  sized: boolean;
  progress: FetchProgress;
  /** Why it was told to stop; null if it was not. */
  stopAs: FetchChange | null;
  /** Resolves when its end is stored. */
  ended: Promise<void>;
}

/**
 * Stops a run. One that stops already changes its reason if the table of fetches allows it: what is
 * being paused can be cancelled, and what is being cancelled cannot be paused.
 *
 * @returns whether this changes what becomes of it.
 */
export function stopLive(live: LiveFetch, change: FetchChange): boolean {
  if (!offers(fetchTransitions, stageAfterStop(live), change.event)) return false;
  live.stopAs = change;
  live.run.stop();
  return true;
}

/** Has a run that is being paused go on. @returns false if it is not being paused. */
export function resumeLive(live: LiveFetch): boolean {
  if (live.verifying || !offers(fetchTransitions, stageAfterStop(live), 'resume')) return false;
  live.stopAs = { event: 'stop', update: { ...untroubled, attempts: 0 } };
  return true;
}

function stageAfterStop({ verifying, stopAs }: LiveFetch): FetchStage {
  if (verifying) return stopAs === null ? 'verifying' : 'done';
  const next = stopAs && nextOf(fetchTransitions, 'running', stopAs.event);
  return next === null || next === 'as-ended' ? 'running' : next;
}
