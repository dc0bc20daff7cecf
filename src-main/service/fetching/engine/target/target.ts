/**
 * The folder of a fetch. Paths are those of a manifest; nothing is ever opened, made or renamed outside of the folder, whatever links are put into it
 * and whenever. The calls block for the microseconds of a system call: they belong into a thread of their own.
 */
export interface Target {
  /** Its path without links. */
  readonly folder: string;
  /** A new, empty, unfinished file beside the final name; folders on the way are made, an older unfinished file is removed. @returns its descriptor, to read and write */
  create(path: string): number;
  /**
   * A new, empty file that has no name before `nameUnnamed`, for one of many small files: that takes half the changes of the folder, and nothing is left
   * after a kill. @returns null where they are few, or the disk has no such thing: `create` one then
   */
  createUnnamed(path: string): number | null;
  /** The unfinished file that is there, to go on with. @returns null when it is gone or no ordinary file */
  reopen(path: string): number | null;
  /** What lies under the final name, for reading. @returns null when nothing does. @throws TargetError when it is no ordinary file */
  openFinished(path: string): number | null;
  /** Gives the unfinished file, written and closed, its final name. @throws TargetError when something else has it */
  finish(path: string): void;
  /** Gives an unnamed file, written and on disk, its final name. @throws TargetError when something else has it */
  nameUnnamed(path: string, fd: number): void;
  /** Removes the unfinished file, when there is one. */
  discard(path: string): void;
  /** Puts files of this folder on disk: their bytes, or all that is known of them. @returns for each what it failed with; null where it did not */
  syncFiles(fds: readonly number[], what: 'bytes' | 'all'): Promise<readonly (Error | null)[]>;
  /** Puts all new names on disk. */
  sync(): Promise<void>;
  close(): void;
}
