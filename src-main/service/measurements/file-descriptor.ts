import { close, constants, fstat, open, read, readlinkSync, realpathSync, type BigIntStats } from 'node:fs';

// A FIFO put in a file's place would otherwise hold a thread of the pool until somebody writes to it.
export const openFlags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/** Opens a file for reading. Plain descriptors: a FileHandle costs a third more a read. */
export function openDescriptor(path: string): Promise<number> {
  return new Promise((resolve, reject) => open(path, openFlags, (error, fd) => (error ? reject(error) : resolve(fd))));
}

/** Identity of an open file, with nanoseconds. */
export function statDescriptor(fd: number): Promise<BigIntStats> {
  return new Promise((resolve, reject) => fstat(fd, { bigint: true }, (error, stat) => (error ? reject(error) : resolve(stat))));
}

/**
 * Whether a descriptor is the file at this very path, reached through no link. Whoever may write on the way could have put a link there, to a file of the
 * same size and time that is not theirs to read, and a range has no checksum that would tell. Only for files that lie where their owner put them: the way
 * to the library may go through links.
 */
export function isAtPath(fd: number, path: string): boolean {
  if (process.platform !== 'linux') return realpathSync.native(path) === path;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === path;
  } catch {
    // Without /proc, as in some containers.
    return realpathSync.native(path) === path;
  }
}

/** Reads at a position, in the thread pool. @returns the number of bytes, 0 at the end. */
export function readAt(fd: number, buffer: Buffer, at: number, count: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => read(fd, buffer, at, count, position, (error, bytes) => (error ? reject(error) : resolve(bytes))));
}

/** Closes without waiting: nothing was written, so there is nothing that closing could fail to keep. */
export function closeDescriptor(fd: number): void {
  close(fd, () => {});
}
