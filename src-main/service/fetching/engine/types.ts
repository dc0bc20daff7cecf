import type { FetchPhase, FetchReason } from '../../contract/fetches.ts';
import type { ServerAccess } from '../../http-client/http-client.ts';

/** Describes what to fetch and where to write it. */
export interface FetchPlan {
  readonly id: number;
  readonly source: ServerAccess;
  readonly measurementId: string;
  readonly what: 'files' | 'archive';
  /** Ascending manifest indices; null means all files. */
  readonly chosen: readonly number[] | null;
  /** Absolute path of the measurement's own folder, created if missing. Its parent must exist. */
  readonly target: string;
  readonly unpack: boolean;
  /** SHA-256 over the manifest's files as first read; null before that. */
  readonly manifestDigest: Uint8Array | null;
  /** Maximum number of connections. */
  readonly connections: number;
}

/**
 * A file of a fetch as recorded in the journal. An archive is one file with index 0 and the path
 * `<measurementId>.zip`.
 */
export interface JournalFile {
  readonly index: number;
  /** Checked: relative, `/`-separated, inside the target. */
  readonly path: string;
  /** Path and query on the server's origin; null if it is built from the index. */
  readonly href: string | null;
  readonly length: number | null;
  readonly crc32: number | null;
  readonly sha256: Uint8Array | null;
  readonly etag: string | null;
  readonly state: 'waiting' | 'partial' | 'done' | 'failed';
  readonly restarts: number;
}

/** The part of a file that is known before any of it is fetched. */
export type UnfetchedFile = Pick<JournalFile, 'index' | 'path' | 'href' | 'length' | 'crc32' | 'sha256'>;

/** A range of bytes; `end` is exclusive. */
export type Piece = readonly [start: number, end: number];

/**
 * A change of a file's state. All changes of one `record` are one commit, durable when the promise
 * resolves.
 */
export type JournalChange =
  | { readonly kind: 'pieces'; readonly index: number; readonly pieces: readonly Piece[] }
  /**
   * A download is about to start: the entity tag its bytes belong to, and the length if the
   * manifest had none.
   */
  | { readonly kind: 'begin'; readonly index: number; readonly etag: string | null; readonly length: number | null }
  /**
   * Discards the fetched bytes. `forgets` also clears the length and checksums, where they came
   * from the discarded bytes and not from the manifest.
   */
  | { readonly kind: 'restart'; readonly index: number; readonly counts: boolean; readonly forgets?: boolean }
  | {
      readonly kind: 'done';
      readonly index: number;
      readonly skipped: boolean;
      readonly length: number;
      readonly crc32: number;
      readonly sha256: Uint8Array;
    }
  /** Files `first` to `last` are done, with the lengths and checksums already in the journal. */
  | { readonly kind: 'as-listed'; readonly first: number; readonly last: number }
  | { readonly kind: 'failed'; readonly index: number; readonly reason: FetchReason; readonly message: string };

/**
 * Persistent state for resuming after a kill: the service's database, or for the command line a
 * file beside the target.
 */
export interface Journal {
  /** Stores the manifest's digest and totals as first read. */
  begin(
    fetchId: number,
    listing: {
      readonly manifestDigest: Uint8Array | null;
      readonly filesTotal: number;
      readonly bytesTotal: number | null;
    },
  ): Promise<void>;
  addFiles(fetchId: number, files: readonly UnfetchedFile[]): Promise<void>;
  /** Files neither done nor failed, ordered by index, after the given one (-1 to start). */
  openFiles(fetchId: number, after: number, limit: number): Promise<readonly JournalFile[]>;
  /** Finished files with their recorded length and checksums, for verification. */
  doneFiles(fetchId: number, after: number, limit: number): Promise<readonly JournalFile[]>;
  /** The progress so far; bytes include those of finished files and of pieces. */
  standing(
    fetchId: number,
  ): Promise<{ readonly filesDone: number; readonly bytesDone: number; readonly bytesVerified: number }>;
  pieces(fetchId: number, index: number): Promise<readonly Piece[]>;
  record(fetchId: number, changes: readonly JournalChange[]): Promise<void>;
  log(fetchId: number, level: 'info' | 'warn' | 'error', message: string): Promise<void>;
}

/** The result of a run. */
export type FetchOutcome =
  | { readonly kind: 'done' }
  /** The run was stopped; everything on disk is in the journal. */
  | { readonly kind: 'stopped' }
  /** A later attempt may succeed. `afterMs` is the server's Retry-After. */
  | { readonly kind: 'retry'; readonly reason: FetchReason; readonly message: string; readonly afterMs: number | null }
  /** The user must act: the token, disk space or folder is at fault. */
  | { readonly kind: 'ask'; readonly reason: FetchReason; readonly message: string }
  /** A retry would not help. Files that were fetched stay. */
  | { readonly kind: 'failed'; readonly reason: FetchReason; readonly message: string };

/**
 * A snapshot of a run. Counters start with the run, except `bytesDone` and `filesDone`, which cover
 * the whole fetch.
 */
export interface FetchProgress {
  readonly phase: FetchPhase;
  readonly bytesDone: number;
  readonly bytesVerified: number;
  readonly filesDone: number;
  /** Bytes received over the network since the run began, including discarded ones. */
  readonly bytesReceived: number;
  readonly connections: number;
  /** When the last byte was received, in milliseconds since 1970. */
  readonly lastByteAt: number;
  /** Ranges in flight, for the piece map. */
  readonly inFlight: readonly { readonly index: number; readonly start: number; readonly end: number }[];
}

export interface FetchRun {
  readonly outcome: Promise<FetchOutcome>;
  progress(): FetchProgress;
  /** Stops once pending writes are on disk and in the journal. */
  stop(): void;
}

/**
 * Runs fetches; one per process. Beside other work it has its own thread, so that a fast download
 * does not block anything.
 */
export interface FetchEngine {
  run(plan: FetchPlan): FetchRun;
  /** Reads the fetched files again and compares them; those that differ are recorded as failed. */
  verify(plan: FetchPlan): FetchRun;
  /** Limits in bytes per second for the total and by base URL; null is unlimited. */
  limit(all: number | null, ofServers: ReadonlyMap<string, number>): void;
  close(): Promise<void>;
}
