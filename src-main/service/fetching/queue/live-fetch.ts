import type { FetchProgress, FetchRun } from '../engine/types.ts';
import type { FetchRow, FetchUpdate } from '../store/fetch-row.ts';
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
  /** The update to store if it is stopped; null if nothing stops it. */
  stopAs: FetchUpdate | null;
  /** Resolves when its end is stored. */
  ended: Promise<void>;
}

/** Stops a run and sets the update to store; a later call replaces an earlier one. */
export function stopLive(live: LiveFetch, stopAs: FetchUpdate): void {
  live.stopAs = stopAs;
  live.run.stop();
}
