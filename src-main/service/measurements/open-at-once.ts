import { closeSync, fstatSync, openSync } from 'node:fs';
import { isAtPath, openFlags } from './file-descriptor.ts';
import { difference } from './file-faults.ts';
import type { DiskPace } from './disk-pace.ts';
import type { FileRow } from './files-store.ts';

/**
 * Opens a file of a measurement without the thread pool: for files in the page cache, see DiskPace.
 *
 * @param ours whether it lies in the library.
 * @returns its descriptor, to be closed in the same turn; -1 when it is not what was registered: the ordinary path finds out why.
 */
export function openAtOnce(path: string, file: Pick<FileRow, 'idx' | 'path' | 'length' | 'mtime_ns'>, pace: DiskPace, ours: boolean): number {
  const since = performance.now();
  let fd = -1;
  try {
    fd = openSync(path, openFlags);
    if (difference(file, fstatSync(fd, { bigint: true })) === null && (ours || isAtPath(fd, path))) {
      pace.note(since);
      return fd;
    }
  } catch {
    // It is not there, or may not be read.
  }
  if (fd >= 0) closeSync(fd);
  return -1;
}
