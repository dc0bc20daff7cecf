import type { FileTimes } from './file-times.ts';
import type { FileRow } from './files-store.ts';
import type { ListedFile } from '../../files/inspect-findings.ts';

export interface PlannedFile {
  readonly idx: number;
  readonly path: string;
  readonly source: string;
  readonly length: number;
  readonly mtime_ns: string;
}

/** Columns that the second check of a registration compares. */
export type WrittenFile = Pick<FileRow, 'idx' | 'path' | 'location' | 'length' | 'mtime_ns'>;

/** A file with its checksums and its offsets in the archive. */
export interface RegisteredFile {
  readonly index: number;
  readonly path: string;
  readonly location: string;
  readonly length: number;
  readonly crc32: number;
  readonly sha256: Uint8Array;
  readonly mtimeNs: string;
  readonly ctimeNs: string | null;
  /** See block-sums.ts. */
  readonly blocks: Uint8Array | null;
  /** See piece-hashes.ts. */
  readonly pieces: Uint8Array | null;
  /** The digest of its pieces in the manifest as it was; left out, it is that of `pieces`. */
  readonly piecesSha256?: Uint8Array | null;
  readonly registeredAt: number;
  readonly archiveOffset: number;
  readonly directoryOffset: number;
}

export interface Totals {
  readonly files: number;
  readonly bytes: number;
}

export interface RegistrationStore {
  /**
   * Inserts the row of a measurement under registration.
   *
   * @returns false when the id is taken, ignoring case.
   */
  reserve(measurement: {
    readonly id: string;
    readonly title: string;
    readonly ownerId: number;
    readonly storage: 'reference' | 'library';
    readonly root: string;
  }): Promise<boolean>;
  idTaken(id: string): Promise<boolean>;
  /**
   * Returns registrations without an unfinished job, and unfinished removals.
   *
   * @param before registrations that began later are left out: they may be about to queue their job.
   */
  abandoned(before: number): Promise<readonly string[]>;
  plan(jobId: number, firstIndex: number, files: readonly ListedFile[]): Promise<void>;
  planned(jobId: number, fromIndex: number, limit: number): Promise<readonly PlannedFile[]>;
  plannedTotals(jobId: number): Promise<Totals>;
  /** From the first to the last modification of the planned files; null where no time can be one. */
  plannedTimes(jobId: number, now: number): Promise<FileTimes | null>;
  setTimes(measurementId: string, times: FileTimes | null): Promise<void>;
  /** Removes a batch of rows of the plan. @returns whether there may be more. */
  dropPlan(jobId: number, limit: number): Promise<boolean>;
  add(measurementId: string, files: readonly RegisteredFile[]): Promise<void>;
  /** Returns the written files from an index on, in order. */
  written(measurementId: string, fromIndex: number, limit: number): Promise<readonly WrittenFile[]>;
  /** Replaces the checksums of files that changed after they were read. */
  readAgain(
    measurementId: string,
    files: readonly Omit<RegisteredFile, 'path' | 'archiveOffset' | 'directoryOffset'>[],
  ): Promise<void>;
  place(
    measurementId: string,
    places: readonly Pick<RegisteredFile, 'index' | 'archiveOffset' | 'directoryOffset'>[],
  ): Promise<void>;
  /**
   * Hides a measurement before it is removed in batches; an interrupted removal is found by
   * `abandoned`.
   */
  hide(measurementId: string): Promise<void>;
  /**
   * Removes a batch of files of a measurement. `remove` is called with each library location that
   * is no longer used, in the same transaction, so that no registration can start to use it.
   *
   * @returns whether there may be more.
   */
  dropFiles(measurementId: string, limit: number, remove: ((location: string) => void) | null): Promise<boolean>;
  /**
   * Writes the totals and the archive's shape without an fsync; the measurement stays under
   * registration.
   */
  total(
    measurementId: string,
    totals: Totals,
    archive: {
      readonly bytes: number;
      readonly directoryOffset: number;
      readonly tag: string;
      readonly version: number;
    },
  ): Promise<void>;
  /**
   * Makes a registered measurement visible to others. @returns false when it is removed or being
   * removed. @throws ImpossibleEvent
   */
  makeAvailable(measurementId: string, at: number): Promise<boolean>;
  /**
   * Calls `remove` with each library location that no measurement uses, in the same transaction, so
   * that no registration can start to use it.
   */
  removeUnused(locations: readonly string[], remove: (location: string) => void): Promise<void>;
  /**
   * Updates timestamps, block sums and, where there are any, hashes of pieces of files whose content
   * was found to be as registered. The manifest stays as it is, with the digest of pieces or without.
   */
  touched(
    measurementId: string,
    files: readonly Pick<RegisteredFile, 'index' | 'mtimeNs' | 'ctimeNs' | 'blocks' | 'pieces'>[],
  ): Promise<void>;
  verified(measurementId: string, at: number): Promise<void>;
  /**
   * Returns the measurement with the oldest verification before `before`, unless its check was
   * requested since `asked`.
   */
  leastRecentlyVerified(before: number, asked: number): Promise<string | null>;
  /**
   * Updates the modification time of a restored library object in every measurement that uses it.
   */
  objectRestored(location: string, mtimeNs: string): Promise<void>;
}
