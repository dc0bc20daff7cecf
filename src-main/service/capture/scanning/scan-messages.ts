import type { CaptureField, CaptureUnit } from '../../contract/capture/rules.ts';

/** Where the runs of a rule are, and which files of them count. */
export interface ScanRule {
  readonly ruleId: number;
  readonly folder: string;
  readonly unit: CaptureUnit;
  readonly layout: string;
  readonly pattern: string | null;
  readonly ignore: readonly string[];
  readonly markers: readonly string[];
  readonly unfinished: readonly string[];
}

/** Processor and elapsed time of a request, in milliseconds. */
export interface ScanCost {
  readonly cpuMs: number;
  readonly elapsedMs: number;
}

/** Changes among the names of runs since the last list of this thread. */
export interface NameList {
  /** Inode of the watched folder. */
  readonly root: string;
  /** At most `maxNames`; the others come with the next list. */
  readonly added: readonly { readonly name: string; readonly inode: string }[];
  readonly removed: readonly string[];
  /** Names in all. */
  readonly total: number;
  /** Whether the thread has begun anew, and does not know what is gone. */
  readonly isFirst: boolean;
  readonly hasMore: boolean;
  readonly cost: ScanCost;
}

/** Bounds a message, and what is stored at once. */
export const maxNames = 2000;

export interface ScannedRun {
  readonly name: string;
  /** False when it is not there any more. */
  readonly exists: boolean;
  /** Why a part of it cannot be read; null when all can. */
  readonly failure: string | null;
  readonly inode: string;
  readonly fileCount: number;
  readonly totalBytes: number;
  /** Digest of all that tells a change: paths, sizes, times, allocated blocks. */
  readonly activity: string;
  /** Digest of what would be registered, see `ListSignature`. */
  readonly signature: string;
  /** Markers that are not there. */
  readonly missingMarkers: readonly string[];
  /** A file that says that the run is not complete; null when there is none. */
  readonly unfinished: string | null;
  /** Whether all of it is older than its place here. */
  readonly isMovedIn: boolean;
}

export interface Scanned {
  /** The first of the names asked for; fewer when the time for one request was up. */
  readonly runs: readonly ScannedRun[];
  readonly cost: ScanCost;
}

/** Methods of the thread that reads watched folders. They read names and times, and write nothing. */
export interface ScanMethods {
  /** @throws an error with the code of the system call when the folder cannot be read. */
  list(rule: ScanRule): NameList;
  /** Forgets the names of a rule, so that its next list is a first one. */
  forget(ruleId: number): void;
  /** Which of these names are not in the last list. */
  absent(ruleId: number, names: readonly string[]): readonly string[];
  scan(rule: ScanRule, names: readonly string[], ignoreList: readonly string[]): Scanned;
  /** Values of fields, read from small files of a run; those that are not found are left out. */
  fields(rule: ScanRule, name: string, fields: readonly CaptureField[]): Readonly<Record<string, string>>;
}

/** Memory shared with the thread: a counter that grows while it makes progress. */
export interface ScanState {
  readonly progress: SharedArrayBuffer;
}
