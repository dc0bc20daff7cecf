import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { endUploads } from '../objects/remove-objects.ts';
import { leaveLibrary, storeObject } from '../objects/store-object.ts';
import { FileFault } from '../storage/file-errors.ts';
import type { MeasurementStores } from '../store/stores.ts';

export type StorageDeps = Pick<MeasurementStores, 'measurements' | 'files' | 'blockSums' | 'objects'> &
  Pick<AccountStores, 'users'> & {
    readonly objectStorage: ObjectStorage | null;
    readonly paths: DataPaths;
    readonly changes: ChangeCounter;
  };

const firstDelayMs = 2000;
const maxDelayMs = 60_000;
const maxBadAnswers = 3;
const maxEndMs = 5000;

/**
 * Puts a measurement that was copied into the library into the object storage, where there is one.
 * While the storage does not answer, the job waits for it: what was uploaded or copied is kept.
 *
 * @throws JobFailed, or the signal's reason.
 */
export async function intoObjectStorage(deps: StorageDeps, context: WorkContext): Promise<void> {
  const { objectStorage } = deps;
  if (!objectStorage) return;
  const measurement = await deps.measurements.byId(context.job.measurement_id);
  if (!measurement) throw new JobFailed('The measurement was removed.');
  let badAnswers = 0;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    context.report({ message: 'Storing the archive' });
    try {
      let bytes = 0;
      const show = (more: number): void => {
        bytes += more;
        // Each byte is put and read back, some of them twice.
        const percent = Math.min(99, Math.floor((50 * bytes) / measurement.archive_bytes));
        context.report({ message: `Storing the archive, ${percent} %` });
      };
      if (await storeObject(deps, objectStorage, measurement, context.signal, show)) return;
      throw new JobFailed('The measurement was removed.');
    } catch (error) {
      if (error instanceof FileFault) throw new JobFailed(`${error.filePath}: ${error.message}.`, { cause: error });
      if (!(error instanceof ObjectStorageError)) throw error;
      // Wrong bytes or an answer that makes no sense may have been on the way.
      if (error.failure === 'bad-answer') badAnswers += 1;
      if (badAnswers === maxBadAnswers || error.failure === 'denied' || error.failure === 'missing')
        throw new JobFailed(error.message, { cause: error });
      context.report({ message: `Waiting for the object storage. ${error.message}` });
    }
    await wait(delayMs, undefined, { signal: context.signal });
  }
}

/** Ends what was put of a measurement whose registration is given up; the upkeep of objects does what fails here. */
export async function endStoring(
  deps: Pick<MeasurementStores, 'measurements'> & {
    readonly objectStorage: ObjectStorage | null;
    readonly log: Logger;
  },
  measurementId: string,
): Promise<void> {
  const measurement = await deps.measurements.byId(measurementId);
  if (!deps.objectStorage || measurement?.state !== 'registering' || measurement.archive_tag === '') return;
  await endUploads(deps.objectStorage, objectKeyOf(measurement), AbortSignal.timeout(maxEndMs)).catch(
    (error: unknown) =>
      deps.log.warn({ err: error, measurement: measurementId }, 'an upload of parts is not ended yet'),
  );
}

/** Removes the copies in the library of a measurement that lies in the object storage. */
export async function dropCopies(
  deps: Pick<MeasurementStores, 'measurements' | 'objects'> & { readonly paths: DataPaths },
  measurementId: string,
): Promise<void> {
  const measurement = await deps.measurements.byId(measurementId);
  if (measurement?.object_key) await leaveLibrary(deps, measurementId);
}
