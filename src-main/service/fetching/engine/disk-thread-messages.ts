import type { TargetReason } from './target-folder-error.ts';

/** What the thread of small files is asked for; the first is `open`, the last is `close`. */
export type DiskQuestion =
  | { readonly op: 'open'; readonly folder: string; readonly room: SharedArrayBuffer }
  /** Files whose bytes lie one behind the other in the room. Answered with a descriptor for each. */
  | { readonly op: 'write'; readonly start: number; readonly paths: readonly string[]; readonly lengths: readonly number[] }
  /** Answered with null for each that has its name now. */
  | { readonly op: 'name'; readonly paths: readonly string[]; readonly fds: readonly number[] }
  | { readonly op: 'close' };

/** A TargetError on its way between threads. */
export interface Trouble {
  readonly reason: TargetReason;
  readonly message: string;
  readonly onlyThisFile: boolean;
}

/** `trouble` where it is not about single files. */
export type DiskAnswer = { readonly each: readonly (number | Trouble | null)[] } | { readonly trouble: Trouble };
