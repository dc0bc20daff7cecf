import { closeSync, writeSync } from 'node:fs';
import { syncFiles } from './sync-files.ts';
import type { Target } from './target-folder.ts';
import { targetError, type TargetError } from './target-folder-error.ts';

/** A file with all its bytes under its unfinished name, open. */
export interface WrittenFile {
  readonly path: string;
  readonly fd: number;
}

/** Writes a whole new file under its unfinished name. @returns its descriptor. @throws TargetError */
export function writeFile(target: Target, path: string, bytes: Uint8Array): number {
  const fd = target.create(path);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw targetError(error, path);
  }
}

/**
 * Gives files their names: bytes to the disk, then the names, then the folders. The descriptors are closed, whatever happens.
 *
 * @returns for each why it has no name; null where it has.
 * @throws TargetError when it is not about a single file
 */
export async function nameFiles(target: Target, files: readonly WrittenFile[]): Promise<readonly (TargetError | null)[]> {
  const failures = await syncFiles(files.map(({ fd }) => fd));
  for (const { fd } of files) closeSync(fd);
  const troubles = files.map(({ path }, at) => {
    try {
      const failure = failures[at];
      if (failure) throw failure;
      target.finish(path);
      return null;
    } catch (error) {
      const trouble = targetError(error, path);
      if (!trouble.onlyThisFile) throw trouble;
      return trouble;
    }
  });
  await target.sync();
  return troubles;
}
