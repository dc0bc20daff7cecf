import { close, closeSync, constants, fstat, open, read, readlinkSync, realpathSync, type BigIntStats } from 'node:fs';

// A FIFO put in a file's place would otherwise hold a thread of the pool until somebody writes to it.
export const openFlags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/** Opens a file for reading. Plain descriptors: a FileHandle costs a third more a read. */
export function openDescriptor(path: string): Promise<number> {
  return new Promise((resolve, reject) => open(path, openFlags, (error, fd) => (error ? reject(error) : resolve(fd))));
}

/** Identity of an open file, with nanoseconds. */
export function statDescriptor(fd: number): Promise<BigIntStats> {
  return new Promise((resolve, reject) =>
    fstat(fd, { bigint: true }, (error, stat) => (error ? reject(error) : resolve(stat))),
  );
}

/**
 * Whether a descriptor is the file at this very path, reached through no link. Whoever may write on the way could have put a link there, to a file of the
 * same size and time that is not theirs to read, and a range has no checksum that would tell. Only for files that lie where their owner put them: the way
 * to the library may go through links.
 */
function isAtPath(fd: number, path: string): boolean {
  if (process.platform !== 'linux') return realpathSync.native(path) === path;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === path;
  } catch {
    // Without /proc, as in some containers.
    return realpathSync.native(path) === path;
  }
}

// A file that is replaced (rsync, a restore) between opening and looking is no longer at its path either; five replacements in a row are not.
const attempts = 5;

/** Opens a file and makes sure that it is the one at this very path, see {@link isAtPath}. @returns -1 when a link leads to it. */
export function openAtPath(path: string, openNow: () => number): number {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const fd = openNow();
    if (keepAtPath(fd, path)) return fd;
  }
  return -1;
}

/** Does the same in the thread pool. */
export async function openAtPathInPool(path: string): Promise<number> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const fd = await openDescriptor(path);
    if (keepAtPath(fd, path)) return fd;
  }
  return -1;
}

function keepAtPath(fd: number, path: string): boolean {
  let found = false;
  try {
    found = isAtPath(fd, path);
  } finally {
    if (!found) closeSync(fd);
  }
  return found;
}

/** Reads at a position, in the thread pool. @returns the number of bytes, 0 at the end. */
export function readAt(fd: number, buffer: Buffer, at: number, count: number, position: number): Promise<number> {
  return new Promise((resolve, reject) =>
    read(fd, buffer, at, count, position, (error, bytes) => (error ? reject(error) : resolve(bytes))),
  );
}

/** Closes without waiting: nothing was written, so there is nothing that closing could fail to keep. */
export function closeDescriptor(fd: number): void {
  close(fd, () => {});
}
