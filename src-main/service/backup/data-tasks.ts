import type { AboutBackup, BackupProgress } from './backup-format.ts';
import type { BackupResult } from './write-backup.ts';

/** What takes long and reads or writes much: it is done on a thread of its own. */
export type DataTask =
  | {
      readonly kind: 'backup';
      readonly dataDir: string;
      readonly file: string;
      readonly work: string;
      readonly programVersion: string;
    }
  /** Unpacks and checks a backup into a folder that is not there yet. */
  | { readonly kind: 'unpack'; readonly file: string; readonly target: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'check'; readonly dataDir: string };

/** What each of them gives; the check the first damage found, or null. */
export interface DataResults {
  readonly backup: BackupResult;
  readonly unpack: AboutBackup;
  readonly move: void;
  readonly check: string | null;
}

/** To the thread: it may go on after a progress, or is to stop and clean up. */
export type ToDataThread = 'go' | 'stop';

export type FromDataThread =
  | { readonly type: 'progress'; readonly progress: BackupProgress }
  | { readonly type: 'done'; readonly result: DataResults[DataTask['kind']] }
  /** `expected`: the message is a line for the user. */
  | {
      readonly type: 'failed';
      readonly expected: boolean;
      readonly code: string | null;
      readonly sqlite: string | null;
      readonly message: string;
    };
