import type { FetchProgress, FetchRun } from '../engine/types.ts';
import type { FetchRow, FetchUpdate } from '../store/fetch-row.ts';
import type { RateMeter } from './rate-meter.ts';

/** A fetch while the engine works on it. */
export interface LiveFetch {
  /** As it was when it was started. */
  readonly row: FetchRow;
  /** Reads what was fetched once more. */
  readonly verifying: boolean;
  readonly run: FetchRun;
  readonly meter: RateMeter;
  /** Bytes a second at the last look, so that what each fetch tells and what all of them add up to are the same numbers. */
  rate: number;
  /** Of the clock that never jumps. */
  readonly startedAt: number;
  /** The disk that it writes to. */
  readonly disk: string;
  /** Bytes that it will still write, as far as it is known. */
  bytesToReceive: number;
  /** Bytes in all; null until the server has said so. */
  bytesTotal: number | null;
  /** Whether the room on the disk was compared with all that is still to come, which the server says only after the start. */
  sized: boolean;
  progress: FetchProgress;
  /** What becomes of it when it is stopped before its end; null when nobody stops it. */
  stopAs: FetchUpdate | null;
  /** When its end is in the database. */
  ended: Promise<void>;
}

/** Tells a run to stop and what is to become of it; a later word replaces an earlier one. */
export function stopLive(live: LiveFetch, stopAs: FetchUpdate): void {
  live.stopAs = stopAs;
  live.run.stop();
}
