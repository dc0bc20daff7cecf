import type { FetchReason } from '../../../contract/fetches.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Hasher } from '../checksums/incremental-hash.ts';
import type { Target } from '../target/target.ts';
import type { FetchPlan, FetchProgress, Journal } from '../types.ts';

/** What the parts of a run share. */
export interface FetchContext {
  readonly plan: FetchPlan;
  readonly journal: Journal;
  readonly client: HttpClient;
  readonly target: Target;
  readonly hasher: Hasher;
  readonly counters: Counters;
  /** Aborted when the run is to stop, or when a part of it has failed for good. */
  readonly signal: AbortSignal;
  /** Ends the run with this error. */
  readonly fail: (error: unknown) => void;
  /** Milliseconds to wait after so many bytes. */
  readonly throttle: (bytes: number) => number;
  /** Waits so long, or until there are other limits. @throws the reason of the signal */
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly isLimited: () => boolean;
}

/** The run was told to stop. */
export class Stopped extends Error {
  constructor() {
    super('stopped');
  }
}

/** A file that cannot be fetched, while others may. */
export class FileFailure extends Error {
  readonly reason: FetchReason;

  constructor(reason: FetchReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The whole fetch cannot go on, and trying again would not help. */
export class FetchFailure extends FileFailure {}

type Mutable<Part> = { -readonly [Key in keyof Part]: Part[Key] };

/** What is on its way on a connection. */
export type InFlightRange = Mutable<FetchProgress['inFlight'][number]>;

/** Progress as it is counted. */
export class Counters {
  phase: FetchProgress['phase'] = 'listing';
  bytesDone = 0;
  bytesVerified = 0;
  /** Bytes of files that are not done yet and that were read for their checksum. */
  hashing = 0;
  /** Whether what was read for a checksum is proven by it. Of an archive that is so of its members alone, which are read when all of it has come. */
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
