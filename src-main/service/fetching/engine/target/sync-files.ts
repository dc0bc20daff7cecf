import { fdatasync, fsync } from 'node:fs';

/** Fewer files are put on disk one by one sooner. */
const worthWholeDisk = 16;

/**
 * Puts files on disk, all at the same time.
 *
 * @param what their bytes, or all that is known of them.
 * @param wholeDisk puts the whole disk in order by one call, which for many files costs a fraction of one for each; false when it could not, null when there is none.
 * @returns for each what it failed with; null where it did not.
 */
export async function syncFiles(
  fds: readonly number[],
  what: 'bytes' | 'all',
  wholeDisk: (() => Promise<boolean>) | null,
): Promise<readonly (Error | null)[]> {
  const failures: (Error | null)[] = fds.map(() => null);
  let left = fds.length;
  if (left === 0 || (left >= worthWholeDisk && wholeDisk !== null && (await wholeDisk()))) return failures;
  const sync = what === 'bytes' ? fdatasync : fsync;
  // One promise for all: small files are so many that one for each can be measured.
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
