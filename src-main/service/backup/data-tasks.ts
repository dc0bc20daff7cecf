import type { AboutBackup, BackupProgress } from './backup-format.ts';
import type { BackupResult } from './write-backup.ts';

/** Long tasks with much I/O, which run in a worker thread. */
export type DataTask =
  | {
      readonly kind: 'backup';
      readonly dataDir: string;
      readonly file: string;
      readonly work: string;
      readonly programVersion: string;
    }
  /** Unpacks and verifies a backup into a new folder. */
  | { readonly kind: 'unpack'; readonly file: string; readonly target: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'check'; readonly dataDir: string };

/** Results of the tasks; that of `check` is the first damage found, or null. */
export interface DataResults {
  readonly backup: BackupResult;
  readonly unpack: AboutBackup;
  readonly move: void;
  readonly check: string | null;
}

/** `expected` marks a message that is written for the user. */
export interface TaskFailure {
  readonly message: string;
  readonly expected: boolean;
  readonly code: string | null;
  readonly sqlite: string | null;
}

/** The methods of the worker. */
export interface DataMethods {
  perform(
    task: DataTask,
    signal: AbortSignal,
  ): { readonly result: DataResults[DataTask['kind']] } | { readonly failure: TaskFailure };
}

/** The method that the worker calls: it continues when this has resolved. */
export interface DataCaller {
  report(progress: BackupProgress): void;
}
