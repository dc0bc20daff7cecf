import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';

/** Room on the disk of a folder. */
export interface DiskSpace {
  /** Bytes that an ordinary user may still write. */
  readonly free: number;
  /** The same for folders of one disk. */
  readonly disk: string;
  /** Whether the folder itself is there, and not only the one that it is made in. */
  readonly made: boolean;
}

/**
 * Room where a fetch writes: in its folder, or while that is not made yet, in the one that it is made in.
 *
 * @returns null when neither is there.
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
