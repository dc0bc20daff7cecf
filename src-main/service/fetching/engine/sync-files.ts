import { fdatasync } from 'node:fs';

/**
 * Puts the bytes of files on disk, all at the same time.
 *
 * @returns for each what it failed with; null where it did not.
 */
export async function syncFiles(fds: readonly number[]): Promise<readonly (Error | null)[]> {
  const failures: (Error | null)[] = fds.map(() => null);
  let left = fds.length;
  if (left === 0) return failures;
  // One promise for all: small files are so many that one for each can be measured.
  return new Promise((resolve) => {
    fds.forEach((fd, at) =>
      fdatasync(fd, (failure) => {
        failures[at] = failure;
        left -= 1;
        if (left === 0) resolve(failures);
      }),
    );
  });
}
