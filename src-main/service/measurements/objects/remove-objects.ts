import type { Logger } from 'pino';
import { repeatedly } from '../../common/repeatedly.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { defaultS3GraceMs } from '../../object-storage/s3-settings.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { descriptionKeyOf, removedKeyOf } from './object-key.ts';

const everyMs = 10 * 60_000;
const objectsPerSlice = 100;

interface Deps extends Pick<MeasurementStores, 'objects'> {
  readonly objectStorage: ObjectStorage | null;
  readonly config: ServiceConfig;
  readonly log: Logger;
}

/**
 * Removes the objects of measurements that were removed longer ago than the grace period, within
 * which a database that was set back still finds them.
 *
 * @returns how many were removed.
 */
export async function removeOldObjects(deps: Deps, now: number, signal: AbortSignal): Promise<number> {
  const { objects, objectStorage, config } = deps;
  if (!objectStorage) return 0;
  const before = now - (config.objectStorage?.graceMs ?? defaultS3GraceMs);
  let removed = 0;
  for (;;) {
    const some = await objects.removedBefore(before, objectsPerSlice);
    for (const object of some) {
      const { object_key: key } = object;
      if (!(await objects.claim(key))) continue;
      try {
        await objectStorage.remove(key, signal);
        await objectStorage.remove(descriptionKeyOf(key), signal);
        await endUploads(objectStorage, key, signal);
        await objectStorage.remove(removedKeyOf(key), signal);
      } catch (error) {
        await objects.announce(object, before);
        throw error;
      }
      removed += 1;
    }
    if (some.length < objectsPerSlice) return removed;
  }
}

/** Ends the uploads in parts of an archive and its description, which nobody will continue. @throws ObjectStorageError */
export async function endUploads(storage: ObjectStorage, key: string, signal: AbortSignal): Promise<void> {
  await storage.endUploads(key, signal);
  await storage.endUploads(descriptionKeyOf(key), signal);
}

/** Removes old objects from time to time. @returns a function that stops it. */
export function removeObjectsOnSchedule(deps: Deps): () => Promise<void> {
  const stopping = new AbortController();
  const stop = repeatedly(
    everyMs,
    async () => void (await removeOldObjects(deps, Date.now(), stopping.signal)),
    (error) => {
      if (!stopping.signal.aborted)
        deps.log.warn({ err: error }, 'objects of removed measurements are not removed yet');
    },
  );
  return async () => {
    stopping.abort();
    await stop();
  };
}
