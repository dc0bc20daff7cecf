/**
 * The folder of a fetch. Paths come from a manifest; nothing is ever opened, created or renamed
 * outside of the folder, even if links are placed in it meanwhile. The calls block for a system
 * call each, so use them in a worker thread.
 */
export interface Target {
  /** Its path with links resolved. */
  readonly folder: string;
  /**
   * Creates an empty partial file beside the final name, with its folders, and replaces an older
   * partial file. @returns a descriptor for reading and writing
   */
  create(path: string): number;
  /**
   * Creates an empty file that has no name until `nameUnnamed`. For many small files this halves
   * the changes to the folder, and leaves nothing after a kill.
   *
   * @returns null for the first few files, or if the disk does not support it: use `create` instead
   */
  createUnnamed(path: string): number | null;
  /**
   * Opens the existing partial file to continue it. @returns null if it is missing or no regular
   * file
   */
  reopen(path: string): number | null;
  /**
   * Opens the file under the final name for reading. @returns null if there is none. @throws
   * TargetError if it is no regular file
   */
  openFinished(path: string): number | null;
  /**
   * Gives the partial file, written and closed, its final name. @throws TargetError if another file
   * has it
   */
  finish(path: string): void;
  /**
   * Gives an unnamed file, written and synced, its final name. @throws TargetError if another file
   * has it
   */
  nameUnnamed(path: string, fd: number): void;
  /** Removes the partial file if there is one. */
  discard(path: string): void;
  /**
   * Syncs files of this folder: their bytes, or metadata as well. @returns the error of each file,
   * or null
   */
  syncFiles(fds: readonly number[], what: 'bytes' | 'all'): Promise<readonly (Error | null)[]>;
  /** Syncs all new names to disk. */
  sync(): Promise<void>;
  close(): void;
}
