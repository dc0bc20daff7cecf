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
import { DamagedError } from '../uploads/members/member-receiver.ts';

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
  await whileStorageAnswers(context, 'Storing the archive', async (show) => {
    let bytes = 0;
    // Each byte is put and read back, some of them twice.
    const showMore = (more: number): void => show((bytes += more) / (2 * measurement.archive_bytes));
    if (await storeObject(deps, objectStorage, measurement, context.signal, showMore)) return;
    throw new JobFailed('The measurement was removed.');
  });
}

/**
 * Does work with the object storage, again and again while the storage does not answer, and three
 * times when its answers are wrong.
 *
 * @param message Of the job meanwhile.
 * @param work is given a function that shows how far it is, from 0 to 1.
 * @throws JobFailed, or the signal's reason.
 */
export async function whileStorageAnswers<Result>(
  context: WorkContext,
  message: string,
  work: (show: (done: number) => void) => Promise<Result>,
): Promise<Result> {
  const show = (done: number): void =>
    context.report({ message: `${message}, ${Math.min(99, Math.floor(100 * done))} %` });
  let badAnswers = 0;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    context.report({ message });
    try {
      return await work(show);
    } catch (error) {
      const text = waitingText(error);
      // Wrong bytes or an answer that makes no sense may have been on the way.
      if (!(error instanceof ObjectStorageError) || error.failure === 'bad-answer') badAnswers += 1;
      if (badAnswers === maxBadAnswers) throw new JobFailed(text, { cause: error });
      context.report({ message: `Waiting for the object storage. ${text}` });
    }
    await wait(delayMs, undefined, { signal: context.signal });
  }
}

/** @throws the error for which there is nothing to wait, as the job states it. */
function waitingText(error: unknown): string {
  if (error instanceof FileFault) throw new JobFailed(`${error.filePath}: ${error.message}.`, { cause: error });
  if (error instanceof DamagedError) return `${error.message} Upload it again.`;
  if (!(error instanceof ObjectStorageError)) throw error;
  if (error.failure === 'denied' || error.failure === 'missing') throw new JobFailed(error.message, { cause: error });
  return error.message;
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
