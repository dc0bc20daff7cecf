import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';

/** Free space on the disk of a folder. */
export interface DiskSpace {
  /** Bytes available to an unprivileged user. */
  readonly free: number;
  /** Identifies the disk: equal for folders on one disk. */
  readonly disk: string;
  /** Whether the folder itself exists, and not only its parent. */
  readonly made: boolean;
}

/**
 * Reads the free space for a fetch's folder, or for its parent while the folder does not exist.
 *
 * @returns null if neither exists.
 */
export async function readDiskSpace(target: string): Promise<DiskSpace | null> {
  for (const folder of [target, path.dirname(target)]) {
    try {
      const [space, { dev }] = [await statfs(folder), await stat(folder)];
      return { free: space.bavail * space.bsize, disk: String(dev), made: folder === target };
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw error;
    }
  }
  return null;
}
