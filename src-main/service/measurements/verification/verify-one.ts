import { countOf } from '../../common/count-of.ts';
import { grouped } from '../../common/grouped.ts';
import { JobFailed, parametersOf, type WorkContext } from '../../jobs/job-work.ts';
import type { JobRow } from '../../jobs/jobs-store.ts';
import type { FileRow } from '../store/files-store.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { verifyFiles } from './verify-files.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { VerifyDeps } from './verify-deps.ts';

const filesPerBatch = 256;
const bytesPerBatch = 64 * 1024 * 1024;

interface VerifyParameters {
  readonly bytesPerSecond: number | null;
  /**
   * Several measurements, verified one after the other; the job's own measurement id is then empty.
   */
  readonly ids?: readonly string[];
  /** Only files whose size or modification time differs from the registration. */
  readonly changedOnly?: boolean;
}

/** Returns the parameters of a verification job. */
export function verifyParametersOf(job: JobRow): VerifyParameters {
  return parametersOf(job) as VerifyParameters;
}

/**
 * Verifies one measurement, starting at the job's stored progress.
 *
 * @param before Files and bytes that the job verified before this measurement.
 * @returns the verdict.
 */
export async function verifyOne(
  services: VerifyDeps,
  context: WorkContext,
  thread: HashThread,
  { id }: Pick<MeasurementRow, 'id'>,
  before: { readonly files: number; readonly bytes: number },
): Promise<string> {
  const measurement = await availableMeasurement(services, id);
  await checkFiles(services, context, thread, measurement, before);
  await services.registrations.verified(id, Date.now());
  const message = await verdict(services, id);
  await services.audit.record({
    userId: context.job.user_id,
    action: 'measurement.verify',
    subject: `measurement:${id}`,
    detail: message,
  });
  services.changes.bump();
  services.events.emit('changed', { topic: 'measurements', id });
  return message;
}

async function checkFiles(
  services: VerifyDeps,
  context: WorkContext,
  thread: HashThread,
  measurement: MeasurementRow,
  before: { readonly files: number; readonly bytes: number },
): Promise<void> {
  const { bytesPerSecond } = verifyParametersOf(context.job);
  let index = Math.max(0, context.job.files_done - before.files);
  let bytes = Math.max(before.bytes, context.job.bytes_done);
  for (;;) {
    const rows = batchOf(await services.files.from(measurement.id, index, filesPerBatch));
    const last = rows.at(-1);
    if (!last) return;
    const read = thread.bytes();
    const ticking = setInterval(() => context.report({ bytesDone: bytes + thread.bytes() - read }), 200);
    try {
      await verifyFiles(services, thread, measurement, rows, {
        bytesPerSecond,
        leaveChanging: false,
        signal: context.signal,
      });
    } finally {
      clearInterval(ticking);
    }
    index = last.idx + 1;
    bytes += rows.reduce((sum, row) => sum + row.length, 0);
    context.report({ filesDone: before.files + index, bytesDone: bytes });
    context.signal.throwIfAborted();
    await availableMeasurement(services, measurement.id);
  }
}

function batchOf(rows: readonly FileRow[]): readonly FileRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.length) > bytesPerBatch);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

async function verdict(services: Pick<MeasurementStores, 'measurements' | 'files'>, id: string): Promise<string> {
  const measurement = await availableMeasurement(services, id);
  const right = measurement.file_count - measurement.problem_count;
  const counted = `${grouped(right)} of ${countOf(measurement.file_count, 'file')} ${right === 1 || measurement.file_count === 1 ? 'is' : 'are'} unchanged`;
  if (measurement.problem_count === 0) return counted;
  const bad = await services.files.withProblems(id, 0, 20);
  const kinds = (['altered', 'missing', 'unreadable'] as const).flatMap((state) => {
    const paths = bad.filter((row) => row.state === state).map((row) => row.path);
    return paths.length === 0 ? [] : [`${state}: ${paths.join(', ')}`];
  });
  const more = measurement.problem_count > bad.length ? ['and more'] : [];
  return [counted, ...kinds, ...more].join('; ');
}

/** @throws JobFailed when the measurement no longer exists. */
export async function availableMeasurement(
  services: Pick<MeasurementStores, 'measurements'>,
  id: string,
): Promise<MeasurementRow> {
  const measurement = await services.measurements.byId(id);
  if (!measurement || measurement.state === 'registering') throw new JobFailed('The measurement was removed.');
  return measurement;
}
