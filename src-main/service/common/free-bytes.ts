import { statfs } from 'node:fs/promises';

/** Below this much free space on the disk of the data the service says that it is not ready, and refuses what grows; it goes on serving what it has. */
export const leastFreeBytes = 256 * 1024 * 1024;

/** Free bytes on the disk of a directory, as an ordinary user may use them. */
export async function freeBytes(directory: string): Promise<number> {
  const disk = await statfs(directory);
  return disk.bavail * disk.bsize;
}
