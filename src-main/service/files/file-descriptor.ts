import { close, closeSync, constants, fstat, open, read, readlinkSync, realpathSync, type BigIntStats } from 'node:fs';

// Non-blocking, because opening a FIFO that replaced a file would otherwise block a thread of the
// pool until a writer opens it.
export const openFlags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/**
 * Opens a file for reading. Returns a plain descriptor, because reads through a FileHandle cost a
 * third more.
 */
export function openDescriptor(path: string): Promise<number> {
  return new Promise((resolve, reject) => open(path, openFlags, (error, fd) => (error ? reject(error) : resolve(fd))));
}

/** Returns the metadata of an open file, with timestamps in nanoseconds. */
export function statDescriptor(fd: number): Promise<BigIntStats> {
  return new Promise((resolve, reject) =>
    fstat(fd, { bigint: true }, (error, stat) => (error ? reject(error) : resolve(stat))),
  );
}

/**
 * Whether a descriptor refers to the file at exactly this path, reached through no symbolic link. A
 * user with write access to a parent folder could have placed a link to a file of equal size and
 * time that they may not read, and a partial range has no checksum that would reveal it. Only for
 * referenced files: the path of the library may contain links.
 */
function isAtPath(fd: number, path: string): boolean {
  if (process.platform !== 'linux') return realpathSync.native(path) === path;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === path;
  } catch {
    // /proc is missing, as in some containers.
    return realpathSync.native(path) === path;
  }
}

// A file replaced (rsync, a restore) between opening and checking is no longer at its path either;
// that does not happen five times in a row.
const attempts = 5;

/**
 * Opens a file and checks that it is the one at exactly this path, see {@link isAtPath}.
 *
 * @returns -1 when the path contains a symbolic link.
 */
export function openAtPath(path: string, openNow: () => number): number {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const fd = openNow();
    if (keepAtPath(fd, path)) return fd;
  }
  return -1;
}

/** Like {@link openAtPath}, in the thread pool. */
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

/**
 * Reads at a position, in the thread pool.
 *
 * @returns the number of bytes, 0 at the end of the file.
 */
export function readAt(fd: number, buffer: Buffer, at: number, count: number, position: number): Promise<number> {
  return new Promise((resolve, reject) =>
    read(fd, buffer, at, count, position, (error, bytes) => (error ? reject(error) : resolve(bytes))),
  );
}

/** Closes without waiting: nothing was written, so an error has no consequence. */
export function closeDescriptor(fd: number): void {
  close(fd, () => {});
}
