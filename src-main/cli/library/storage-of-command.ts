import type { ObjectStorage } from '../../service/object-storage/object-storage.ts';
import { storageSetting } from '../../service/measurements/objects/storage-setting.ts';
import type { Services } from '../../service/services.ts';
import { CommandError } from '../support/terminal.ts';

/** @throws CommandError (bad usage) where the environment names no object storage. */
export function requireStorage({ objectStorage }: Pick<Services, 'objectStorage'>): ObjectStorage {
  if (objectStorage) return objectStorage;
  throw new CommandError(
    'Name the object storage: set BENCHPORT_S3_ENDPOINT, BENCHPORT_S3_BUCKET and its access key.',
    2,
  );
}

/**
 * Checks that the service knows this object storage, and so can serve the measurements moved there.
 *
 * @throws CommandError when no service was started with this object storage yet.
 */
export async function requireServed({ settings }: Pick<Services, 'settings'>, storage: ObjectStorage): Promise<void> {
  if ((await settings.get(storageSetting)) === storage.place) return;
  throw new CommandError(
    `The service was not started with ${storage.place} yet. Start it again with the same BENCHPORT_S3_ variables, so that it finds what is moved.`,
  );
}
