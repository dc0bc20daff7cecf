import { countOf } from '../count-of.ts';
import { grouped } from '../grouped.ts';
import { JobFailed, parametersOf, type Work, type WorkContext } from '../jobs/job-work.ts';
import type { NewJob } from '../jobs/jobs-store.ts';
import type { Services } from '../services.ts';
import { absenceOf } from './file-faults.ts';
import { absolutePathOf, rootOf } from './file-storage.ts';
import type { FileCheck, FileRow } from './files-store.ts';
import type { FileOutcome } from './hash-messages.ts';
import { startHashThread, type HashThread } from './hash-thread.ts';
import type { MeasurementRow } from './measurements-store.ts';

const filesPerBatch = 256;
const bytesPerBatch = 64 * 1024 * 1024;

interface VerifyParameters {
  readonly bytesPerSecond: number | null;
}

/** A check of a measurement, as a job that is still to be queued or run. */
export function newVerification(measurementId: string, userId: number | null, bytesPerSecond: number | null = null): NewJob {
  return { kind: 'verify', measurementId, userId, parameters: { bytesPerSecond } };
}

/** Reads every file again and compares length, CRC-32 and SHA-256 with the registration. */
export const verifyWork: Work = {
  resumable: true,
  run: async (services, context) => {
    const { measurement_id: id, user_id: userId } = context.job;
    const measurement = await existing(services, id);
    context.report({ filesTotal: measurement.file_count, bytesTotal: measurement.total_bytes, message: 'Comparing the files with the registration' });
    const thread = startHashThread(context.signal);
    try {
      await checkFiles(services, context, thread, measurement);
    } finally {
      await thread.close();
    }
    await services.registrations.verified(id, Date.now());
    const message = await verdict(services, id);
    await services.audit.record({ userId, action: 'measurement.verify', subject: `measurement:${id}`, detail: message });
    services.changes.bump();
    services.events.emit('changed', { topic: 'measurements', id });
    return { message, result: null };
  },
  discard: async () => {},
  anew: async (services, job) => {
    await existing(services, job.measurement_id);
    return newVerification(job.measurement_id, job.user_id, (parametersOf(job) as VerifyParameters).bytesPerSecond);
  },
};

async function checkFiles(services: Services, context: WorkContext, thread: HashThread, measurement: MeasurementRow): Promise<void> {
  const { bytesPerSecond } = parametersOf(context.job) as VerifyParameters;
  let { files_done: index, bytes_done: bytes } = context.job;
  for (;;) {
    const rows = batchOf(await services.files.from(measurement.id, index, filesPerBatch));
    const last = rows.at(-1);
    if (!last) return;
    const linkFree = measurement.storage !== 'library';
    const items = rows.map((row) => ({ index: row.idx, file: absolutePathOf(services.paths, measurement, row), linkFree }));
    const before = thread.bytes();
    const ticking = setInterval(() => context.report({ bytesDone: bytes + thread.bytes() - before }), 200);
    try {
      await record(services, measurement, rows, await thread.run({ op: 'hash', items, bytesPerSecond }));
    } finally {
      clearInterval(ticking);
    }
    index = last.idx + 1;
    bytes += rows.reduce((sum, row) => sum + row.length, 0);
    context.report({ filesDone: index, bytesDone: bytes });
    context.signal.throwIfAborted();
    await existing(services, measurement.id);
  }
}

function batchOf(rows: readonly FileRow[]): readonly FileRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.length) > bytesPerBatch);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

async function record(services: Services, measurement: MeasurementRow, rows: readonly FileRow[], outcomes: readonly FileOutcome[]): Promise<void> {
  const found = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  const absence = await absenceOf(rootOf(services.paths, measurement));
  const checks: (FileCheck & { readonly index: number })[] = [];
  for (const row of rows) {
    const outcome = found.get(row.idx);
    if (!outcome) continue;
    const check = { ...compare(row, outcome, absence), index: row.idx, at: Date.now() };
    checks.push(check);
    // The right bytes under a new date, for example from a backup: from now on they are served again.
    if (check.state === 'ok' && 'mtimeNs' in outcome && outcome.mtimeNs !== row.mtime_ns)
      await services.registrations.touched(measurement.id, row.idx, outcome.mtimeNs);
    if (check.state !== 'ok' && row.state === 'ok') await noteDegraded(services, measurement.id, row, check.problem ?? check.state);
  }
  if (await services.files.recordChecks(measurement.id, checks)) services.events.emit('changed', { topic: 'measurements', id: measurement.id });
  services.changes.bump();
}

function compare(row: FileRow, outcome: FileOutcome, absence: string | null): Pick<FileCheck, 'state' | 'problem'> {
  if ('failed' in outcome) {
    if (outcome.failed === 'missing' && absence === null) return { state: 'missing', problem: 'there is no such file in its folder' };
    if (outcome.failed === 'missing') return { state: 'unreadable', problem: absence };
    return { state: outcome.failed === 'changing' ? 'altered' : 'unreadable', problem: outcome.reason };
  }
  if (outcome.length !== row.length) return { state: 'altered', problem: `it has ${countOf(outcome.length, 'byte')} instead of ${grouped(row.length)}` };
  if (outcome.crc32 !== row.crc32 || outcome.sha256 !== row.sha256.toString('hex'))
    return { state: 'altered', problem: 'its content is not what was registered' };
  return { state: 'ok', problem: null };
}

async function noteDegraded(services: Services, id: string, row: FileRow, problem: string): Promise<void> {
  await services.audit.record({
    userId: null,
    action: 'measurement.degraded',
    subject: `measurement:${id}`,
    detail: `file ${row.idx} (${row.path}): ${problem}`,
  });
}

async function verdict(services: Services, id: string): Promise<string> {
  const measurement = await existing(services, id);
  const right = measurement.file_count - measurement.problem_count;
  const counted = `${grouped(right)} of ${countOf(measurement.file_count, 'file')} ${right === 1 || measurement.file_count === 1 ? 'is' : 'are'} right`;
  if (measurement.problem_count === 0) return counted;
  const bad = await services.files.withProblems(id, 0, 20);
  const kinds = (['altered', 'missing', 'unreadable'] as const).flatMap((state) => {
    const paths = bad.filter((row) => row.state === state).map((row) => row.path);
    return paths.length === 0 ? [] : [`${state}: ${paths.join(', ')}`];
  });
  const more = measurement.problem_count > bad.length ? ['and more'] : [];
  return [counted, ...kinds, ...more].join('; ');
}

async function existing(services: Services, id: string): Promise<MeasurementRow> {
  const measurement = await services.measurements.byId(id);
  if (!measurement || measurement.state === 'registering') throw new JobFailed('The measurement was removed.');
  return measurement;
}
