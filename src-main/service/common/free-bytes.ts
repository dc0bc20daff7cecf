import { statfs } from 'node:fs/promises';

/**
 * Below this much free space on the disk of the data the service reports that it is not ready, and
 * refuses writes that grow the data; it still serves its data.
 */
export const minFreeBytes = 256 * 1024 * 1024;

/** Free bytes on the disk of a directory that an ordinary user may use. */
export async function freeBytes(directory: string): Promise<number> {
  const disk = await statfs(directory);
  return disk.bavail * disk.bsize;
}
