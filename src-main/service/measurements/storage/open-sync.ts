import { closeSync, fstatSync, openSync } from 'node:fs';
import type { SyncIoPolicy } from './sync-io-policy.ts';
import { openAtPath, openFlags } from '../../files/file-descriptor.ts';
import { reachedThroughSymlink, faultIn, FileFault } from './file-errors.ts';
import type { FileRow } from '../store/files-store.ts';
import type { KernelCalls } from './kernel-calls.ts';

/** A file of a measurement and how to open it. */
export interface FileLocation {
  readonly path: string;
  readonly row: Pick<FileRow, 'idx' | 'path' | 'length' | 'mtime_ns'>;
  readonly syncIo: SyncIoPolicy;
  /** Whether the file is stored in the library. */
  readonly inLibrary: boolean;
}

/**
 * Opens a file of a measurement synchronously: only for files in the page cache, see SyncIoPolicy.
 *
 * @throws FileFault when the file is not as registered, or the error of the system call.
 */
export function openVerifiedSync(kernel: KernelCalls | null, { path, row, syncIo, inLibrary }: FileLocation): number {
  const since = performance.now();
  const linkFree = kernel && !inLibrary ? kernel.openLinkFree(path) : -1;
  const fd =
    linkFree >= 0
      ? linkFree
      : inLibrary
        ? openSync(path, openFlags)
        : openAtPath(path, () => openSync(path, openFlags));
  if (fd < 0) throw new FileFault(row, 'altered', reachedThroughSymlink);
  try {
    const fault = faultIn(row, fstatSync(fd, { bigint: true }));
    if (fault) throw fault;
    syncIo.record(since);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Opens a file like `openVerifiedSync`, for use within one turn of the event loop.
 *
 * @returns -1 on failure; the ordinary handler then determines the reason.
 */
export function tryOpenVerifiedSync(kernel: KernelCalls | null, place: FileLocation): number {
  try {
    return openVerifiedSync(kernel, place);
  } catch {
    return -1;
  }
}
