import { fdatasync, fsync } from 'node:fs';

/** From this many files on, one sync of the whole disk is faster. */
const minFilesForDiskSync = 16;

/**
 * Syncs files to disk in parallel.
 *
 * @param what only their bytes, or metadata as well.
 * @param wholeDisk syncs the whole disk with one call, which is much cheaper for many files; it
 * returns false if it could not. Null if unavailable.
 * @returns the error of each file, or null
 */
export async function syncFiles(
  fds: readonly number[],
  what: 'bytes' | 'all',
  wholeDisk: (() => Promise<boolean>) | null,
): Promise<readonly (Error | null)[]> {
  const failures: (Error | null)[] = fds.map(() => null);
  let left = fds.length;
  if (left === 0 || (left >= minFilesForDiskSync && wholeDisk !== null && (await wholeDisk()))) return failures;
  const sync = what === 'bytes' ? fdatasync : fsync;
  // One promise for all: with many small files, one each is measurably slower.
  return new Promise((resolve) => {
    fds.forEach((fd, at) =>
      sync(fd, (failure) => {
        failures[at] = failure;
        left -= 1;
        if (left === 0) resolve(failures);
      }),
    );
  });
}
