import type { Logger } from 'pino';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { objectPrefix } from './object-key.ts';
import type { MeasurementStores } from '../store/stores.ts';

/** The setting with the place of the object storage that the service was last started with. */
export const storageSetting = 'object_storage';

const tryMs = 10_000;

/** Notes at the start which object storage is served, and warns when measurements lie in another one. */
export async function noteStorage(deps: {
  readonly settings: SettingsStore;
  readonly objects: MeasurementStores['objects'];
  readonly objectStorage: ObjectStorage | null;
  readonly log: Logger;
}): Promise<void> {
  const { settings, objects, objectStorage, log } = deps;
  if (objectStorage) void tryStorage(objectStorage, log);
  const before = await settings.get(storageSetting);
  const place = objectStorage?.place ?? '';
  if ((before ?? '') === place) return;
  if (before && (await objects.any()))
    log.warn(
      { before, now: place === '' ? null : place },
      'measurements lie in an object storage that is not the one this service was started with',
    );
  // Kept, so that the right one is named until the service is started with another one.
  if (place !== '') await settings.set(storageSetting, place);
}

/** Says at the start what would otherwise be found with the first upload, without delaying the start. */
async function tryStorage(objectStorage: ObjectStorage, log: Logger): Promise<void> {
  try {
    await objectStorage.list(objectPrefix, '', 1, AbortSignal.timeout(tryMs));
  } catch (error) {
    log.warn({ err: error, place: objectStorage.place }, 'the object storage cannot be used now');
  }
}
