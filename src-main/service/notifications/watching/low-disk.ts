import { statfs } from 'node:fs/promises';
import { formatBytes } from '../../common/format-bytes.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Condition } from '../store/conditions-store.ts';
import type { NotificationStores } from '../store/stores.ts';

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export type LowDiskDeps = Pick<NotificationStores, 'conditions'> & {
  readonly config: Pick<ServiceConfig, 'dataDir' | 'libraryDir'>;
};

const maxThreshold = 5 * 1024 ** 3;
const thresholdShare = 0.05;
/** Space that comes and goes with temporary files does not end and begin it again and again. */
const recoveryFactor = 1.25;

/**
 * Tells of disks of the data folder and the library with less than 5 GiB free, or 5 percent of a
 * disk that has less than 100 GiB, until they have a quarter more than that.
 */
export async function tellOfLowDisks(
  { conditions, config }: LowDiskDeps,
  spaceOf: (folder: string) => Promise<DiskSpace> = diskSpaceOf,
): Promise<void> {
  const known = await conditions.known('disk-low');
  const folders = [
    { subject: 'disk:data', folder: config.dataDir, words: 'the disk of the data folder' },
    ...(config.libraryDir === undefined
      ? []
      : [{ subject: 'disk:library', folder: config.libraryDir, words: 'the disk of the library' }]),
  ];
  const found: Condition[] = [];
  for (const { subject, folder, words } of folders) {
    const { freeBytes, totalBytes } = await spaceOf(folder);
    const threshold = Math.min(maxThreshold, totalBytes * thresholdShare);
    if (freeBytes >= (known.has(subject) ? threshold * recoveryFactor : threshold)) continue;
    const title = `${formatBytes(freeBytes)} is free on ${words}`;
    const happening = { subject, measurement_id: null, project_id: null, user_id: null, title };
    found.push({ subject, mark: 'low', afterMs: 0, happening });
  }
  await conditions.observe('disk-low', found, 0);
}

async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
