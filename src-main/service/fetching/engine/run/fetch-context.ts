import type { FetchReason } from '../../../contract/fetches.ts';
import type { HttpClient } from '../../../http-client/http-client.ts';
import type { Hasher } from '../checksums/incremental-hash.ts';
import type { Target } from '../target/target.ts';
import type { FetchPlan, FetchProgress, Journal } from '../types.ts';

/** The state shared by the parts of a run. */
export interface FetchContext {
  readonly plan: FetchPlan;
  readonly journal: Journal;
  readonly client: HttpClient;
  readonly target: Target;
  readonly hasher: Hasher;
  readonly counters: RunCounters;
  /** Aborted when the run is stopped, or when a part of it failed for good. */
  readonly signal: AbortSignal;
  /** Ends the run with this error. */
  readonly fail: (error: unknown) => void;
  /** Counts received bytes and returns the milliseconds to wait. */
  readonly throttle: (bytes: number) => number;
  /** Waits for `ms`, or until the limits change. @throws the signal's reason */
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly isLimited: () => boolean;
}

/** The run was stopped on request. */
export class Stopped extends Error {
  constructor() {
    super('stopped');
  }
}

/** One file cannot be fetched; others still may. */
export class FileFailure extends Error {
  readonly reason: FetchReason;

  constructor(reason: FetchReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The whole fetch cannot continue, and a retry would not help. */
export class FetchFailure extends FileFailure {}

type Mutable<Part> = { -readonly [Key in keyof Part]: Part[Key] };

/** A range in flight on a connection. */
export type InFlightRange = Mutable<FetchProgress['inFlight'][number]>;

/** The counters behind the progress of a run. */
export class RunCounters {
  phase: FetchProgress['phase'] = 'listing';
  bytesDone = 0;
  bytesVerified = 0;
  /** Bytes hashed of files that are not done yet. */
  hashing = 0;
  /**
   * Whether hashing verifies the bytes. An archive has no checksum of its own; only reading its
   * members, after the download, verifies it.
   */
  verifies = true;
  filesDone = 0;
  bytesReceived = 0;
  filesReceived = 0;
  connections = 0;
  lastByteAt = 0;
  readonly inFlight = new Set<InFlightRange>();

  received(bytes: number): void {
    this.bytesReceived += bytes;
    this.lastByteAt = Date.now();
  }

  now(): FetchProgress {
    const { phase, bytesDone, filesDone, bytesReceived, connections, lastByteAt } = this;
    const bytesVerified = this.verifies ? this.bytesVerified + this.hashing : 0;
    return {
      phase,
      bytesDone,
      bytesVerified,
      filesDone,
      bytesReceived,
      connections,
      lastByteAt,
      inFlight: [...this.inFlight].map(({ index, start, end }) => ({ index, start, end })),
    };
  }
}
