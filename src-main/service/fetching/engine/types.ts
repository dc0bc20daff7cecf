import type { FetchPhase, FetchReason } from '../../contract/fetches.ts';

/** A server as the engine asks it. `token` goes to this origin and to no other. */
export interface FetchSource {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string | null;
  /** SHA-256 of the one certificate to trust, hexadecimal; null: the usual authorities. */
  readonly certificate: string | null;
}

/** What to fetch and where to put it. */
export interface FetchPlan {
  readonly id: number;
  readonly source: FetchSource;
  readonly measurementId: string;
  readonly what: 'files' | 'archive';
  /** Indices of the manifest, in order; null is all of them. */
  readonly chosen: readonly number[] | null;
  /** Absolute; the measurement's own folder, made when it is not there. Its parent must be there. */
  readonly target: string;
  readonly unpack: boolean;
  /** SHA-256 over the manifest's files as first read; null before that. */
  readonly manifestDigest: Uint8Array | null;
  /** Most connections at once. */
  readonly connections: number;
}

/** A file of a fetch as the journal knows it. An archive is one file with the index 0 and the path `<measurementId>.zip`. */
export interface JournalFile {
  readonly index: number;
  /** Checked: relative, `/`-separated, inside the target. */
  readonly path: string;
  /** Path and query on the server's origin; null: made from the interface. */
  readonly href: string | null;
  readonly length: number | null;
  readonly crc32: number | null;
  readonly sha256: Uint8Array | null;
  readonly etag: string | null;
  readonly state: 'waiting' | 'partial' | 'done' | 'failed';
  readonly restarts: number;
}

/** What is known of a file before anything of it was fetched. */
export type ListedFile = Pick<JournalFile, 'index' | 'path' | 'href' | 'length' | 'crc32' | 'sha256'>;

/** First byte and the one after the last. */
export type Piece = readonly [start: number, end: number];

/** What has become true of a file. Everything of one `record` is one commit, and is on disk when the promise resolves. */
export type JournalChange =
  | { readonly kind: 'pieces'; readonly index: number; readonly pieces: readonly Piece[] }
  /** First bytes are about to come: what they belong to. `length` where the manifest did not say. */
  | { readonly kind: 'begin'; readonly index: number; readonly etag: string | null; readonly length: number | null }
  /** Fetched bytes are worthless: begin anew. `forgets`: no list has promised its length and its checksums, they were those of what had come. */
  | { readonly kind: 'restart'; readonly index: number; readonly counts: boolean; readonly forgets?: boolean }
  | {
      readonly kind: 'done';
      readonly index: number;
      readonly skipped: boolean;
      readonly length: number;
      readonly crc32: number;
      readonly sha256: Uint8Array;
    }
  /** Done, each with the length and the checksums that are in the journal already: from the first index to the last. */
  | { readonly kind: 'as-listed'; readonly first: number; readonly last: number }
  | { readonly kind: 'failed'; readonly index: number; readonly reason: FetchReason; readonly message: string };

/** Where the engine remembers, so that it can go on after a kill. In the service it is the database, for the command line a file beside the target. */
export interface Journal {
  /** The manifest as first read, before its files; `title` where the server gives one. */
  begin(
    fetchId: number,
    listing: {
      readonly manifestDigest: Uint8Array | null;
      readonly filesTotal: number;
      readonly bytesTotal: number | null;
    },
  ): Promise<void>;
  addFiles(fetchId: number, files: readonly ListedFile[]): Promise<void>;
  /** Files that are neither done nor failed, in order of their index, after the given one (-1 for the first). */
  openFiles(fetchId: number, after: number, limit: number): Promise<readonly JournalFile[]>;
  /** Files that are done, with length and both checksums as recorded; for verifying. */
  doneFiles(fetchId: number, after: number, limit: number): Promise<readonly JournalFile[]>;
  /** How far it has come; bytes are those of files done and of pieces. */
  standing(
    fetchId: number,
  ): Promise<{ readonly filesDone: number; readonly bytesDone: number; readonly bytesVerified: number }>;
  pieces(fetchId: number, index: number): Promise<readonly Piece[]>;
  record(fetchId: number, changes: readonly JournalChange[]): Promise<void>;
  log(fetchId: number, level: 'info' | 'warn' | 'error', message: string): Promise<void>;
}

/** How a run ended. */
export type FetchOutcome =
  | { readonly kind: 'done' }
  /** It was told to stop; what is on disk is in the journal. */
  | { readonly kind: 'stopped' }
  /** It may go better later. `afterMilliseconds` is the server's Retry-After. */
  | { readonly kind: 'retry'; readonly reason: FetchReason; readonly message: string; readonly afterMs: number | null }
  /** The user has to do something: a token, room, a folder. */
  | { readonly kind: 'ask'; readonly reason: FetchReason; readonly message: string }
  /** Trying again would not help. Files that went well are there. */
  | { readonly kind: 'failed'; readonly reason: FetchReason; readonly message: string };

/** A moment of a run; counters since it began, but for `bytesDone` and `filesDone`, which are of the whole fetch. */
export interface FetchProgress {
  readonly phase: FetchPhase;
  readonly bytesDone: number;
  readonly bytesVerified: number;
  readonly filesDone: number;
  /** Bytes that came over the network since the run began, those that are worthless too. */
  readonly bytesReceived: number;
  readonly connections: number;
  /** Milliseconds since 1970 when the last byte came. */
  readonly lastByteAt: number;
  /** Ranges on their way, for the piece map. */
  readonly inFlight: readonly { readonly index: number; readonly start: number; readonly end: number }[];
}

export interface FetchRun {
  readonly outcome: Promise<FetchOutcome>;
  progress(): FetchProgress;
  /** Stops after what is on its way to the disk is there and in the journal. */
  stop(): void;
}

/** Fetches; one for a process. Where something else goes on it runs in a thread of its own, so that a gigabyte a second stalls nobody. */
export interface FetchEngine {
  run(plan: FetchPlan): FetchRun;
  /** Reads what was fetched once more and compares; answers with the files that are not what they were. */
  verify(plan: FetchPlan): FetchRun;
  /** Bytes per second over everything, and for one base URL; null is no limit. */
  limit(all: number | null, ofServers: ReadonlyMap<string, number>): void;
  close(): Promise<void>;
}
