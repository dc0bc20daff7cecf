import type { Work } from '../../jobs/job-work.ts';
import type { NewJob } from '../../jobs/jobs-store.ts';
import { startHashThread } from '../file-worker/hash-thread.ts';
import { verifyChanged } from './verify-changed.ts';
import { verifyMany } from './verify-many.ts';
import { availableMeasurement, verifyOne, verifyParametersOf } from './verify-one.ts';
import type { VerifyDeps } from './verify-deps.ts';

/** Creates a verification job for a measurement, to be queued or run. */
export function newVerification(
  measurementId: string,
  userId: number | null,
  bytesPerSecond: number | null = null,
): NewJob {
  return { kind: 'verify', measurementId, userId, parameters: { bytesPerSecond } };
}

/** Creates one job that verifies several measurements one after the other. */
export function newVerifications(
  ids: readonly string[],
  userId: number | null,
  bytesPerSecond: number | null = null,
): NewJob {
  return { kind: 'verify', measurementId: '', userId, parameters: { ids, bytesPerSecond } };
}

/** Reads every file again and compares length, CRC-32 and SHA-256 with the registration. */
export const verifyWork: Work<VerifyDeps> = {
  resumable: true,
  run: async (services, context) => {
    const { ids, changedOnly } = verifyParametersOf(context.job);
    const thread = startHashThread(context.signal);
    try {
      if (ids) return { message: await verifyMany(services, context, thread, ids), result: null };
      const measurement = await availableMeasurement(services, context.job.measurement_id);
      const message = changedOnly
        ? 'Comparing files whose times have changed'
        : 'Comparing the files with the registration';
      context.report({ filesTotal: measurement.file_count, bytesTotal: measurement.total_bytes, message });
      if (changedOnly) return { message: await verifyChanged(services, context, thread, measurement), result: null };
      return { message: await verifyOne(services, context, thread, measurement, { files: 0, bytes: 0 }), result: null };
    } finally {
      await thread.close();
    }
  },
  discard: async () => {},
  restarted: async (services, job) => {
    const { ids, bytesPerSecond } = verifyParametersOf(job);
    if (ids) return newVerifications(ids, job.user_id, bytesPerSecond);
    await availableMeasurement(services, job.measurement_id);
    return newVerification(job.measurement_id, job.user_id, bytesPerSecond);
  },
};
