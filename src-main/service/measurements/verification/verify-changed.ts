import { stat } from 'node:fs/promises';
import { countOf } from '../../common/count-of.ts';
import type { WorkContext } from '../../jobs/job-work.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { NewJob } from '../../jobs/jobs-store.ts';
import { difference } from '../storage/file-errors.ts';
import { absolutePathOf } from '../storage/file-storage.ts';
import type { FileRow } from '../store/files-store.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { mayBeRestored } from '../content/may-be-restored.ts';
import { verifyFiles } from './verify-files.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { Logger } from 'pino';
import type { JobStores } from '../../jobs/stores.ts';
import type { VerifyDeps } from './verify-deps.ts';

const rowsPerSlice = 256;
const bytesPerBatch = 64 * 1024 * 1024;
const checksPerBatch = 16;
const how = { bytesPerSecond: null, leaveChanging: true };
// A job that was cancelled must not start again with the next request.
const pauseAfterCancelMs = 10 * 60_000;

/**
 * Creates a job that compares the files of a measurement whose timestamps changed. It does not wait
 * for other verifications.
 */
function newChangedVerification(measurementId: string): NewJob {
  return {
    kind: 'verify',
    measurementId,
    userId: null,
    parameters: { lane: 'changed-files', changedOnly: true, bytesPerSecond: null },
  };
}

/**
 * Starts a comparison when a changed file is requested: one job per measurement, however many of
 * its files changed.
 */
export function startChangedVerifications(
  services: Pick<MeasurementStores, 'unchecked'> & JobStores & { readonly log: Logger },
  runner: JobRunner,
): void {
  const beginning = new Set<string>();
  services.unchecked.onQueued((measurementId) => {
    if (beginning.has(measurementId)) return;
    beginning.add(measurementId);
    void begin(measurementId)
      .catch((error: unknown) =>
        services.log.warn({ err: error, measurement: measurementId }, 'changed files are not compared'),
      )
      .finally(() => beginning.delete(measurementId));
  });

  async function begin(measurementId: string): Promise<void> {
    const jobs = (await services.jobs.ofMeasurement(measurementId)).filter((job) =>
      job.parameters.includes('"changedOnly":true'),
    );
    const last = jobs.at(-1);
    if (last && last.ended_at === null) return;
    if (last?.state === 'cancelled' && (last.ended_at ?? 0) > Date.now() - pauseAfterCancelMs) return;
    await runner.enqueue(newChangedVerification(measurementId));
  }
}

/**
 * Compares the requested files first, then all others whose size or modification time differs from
 * the registration.
 */
export async function verifyChanged(
  services: VerifyDeps,
  context: WorkContext,
  thread: HashThread,
  measurement: MeasurementRow,
): Promise<string> {
  // An object never changes; what the storage returns is compared with each request.
  if (measurement.object_key !== null) return `${countOf(0, 'changed file')} compared`;
  let { files_done: index, bytes_done: bytes } = context.job;
  let compared = await verifyQueued(services, context, thread, measurement);
  for (;;) {
    const rows = await services.files.from(measurement.id, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) break;
    for (const batch of batches(await changedOf(services, measurement, rows))) {
      await verifyFiles(services, thread, measurement, batch, { ...how, signal: context.signal });
      compared += batch.length;
      context.signal.throwIfAborted();
      compared += await verifyQueued(services, context, thread, measurement);
    }
    index = last.idx + 1;
    bytes += rows.reduce((sum, row) => sum + row.length, 0);
    context.report({ filesDone: index, bytesDone: bytes });
    context.signal.throwIfAborted();
  }
  compared += await verifyQueued(services, context, thread, measurement);
  return `${countOf(compared, 'changed file')} compared`;
}

async function verifyQueued(
  services: VerifyDeps,
  context: WorkContext,
  thread: HashThread,
  measurement: MeasurementRow,
): Promise<number> {
  const rows: FileRow[] = [];
  for (const index of services.unchecked.take(measurement.id)) {
    const row = await services.files.at(measurement.id, index);
    if (row) rows.push(row);
  }
  for (const batch of batches(rows))
    await verifyFiles(services, thread, measurement, batch, { ...how, signal: context.signal });
  return rows.length;
}

async function changedOf(
  services: { readonly paths: DataPaths },
  measurement: MeasurementRow,
  rows: readonly FileRow[],
): Promise<readonly FileRow[]> {
  const changed: FileRow[] = [];
  for (let at = 0; at < rows.length; at += checksPerBatch) {
    const some = rows.slice(at, at + checksPerBatch);
    const looked = await Promise.all(some.map((row) => isChanged(services, measurement, row)));
    changed.push(...some.filter((_row, i) => looked[i]));
  }
  return changed;
}

/** Missing and unreadable files are skipped: they are detected when requested. */
async function isChanged(
  services: { readonly paths: DataPaths },
  measurement: MeasurementRow,
  row: FileRow,
): Promise<boolean> {
  try {
    const found = await stat(absolutePathOf(services.paths, measurement, row), { bigint: true });
    return row.state === 'altered' ? mayBeRestored(row, found) : difference(row, found) !== null;
  } catch {
    return false;
  }
}

function* batches(rows: readonly FileRow[]): Generator<readonly FileRow[]> {
  let batch: FileRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += row.length;
    if (bytes < bytesPerBatch) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
