import { HttpProblem } from '../../common/problem.ts';
import { JobFailed, parametersOf, type Work, type WorkContext, type WorkResult } from '../../jobs/job-work.ts';
import type { FileOutcome } from '../../files/hash-messages.ts';
import { startHashThread, type HashThread } from '../file-worker/hash-thread.ts';
import { isNoSpace } from '../../files/register-failures.ts';
import { prepareRegistration, type RegistrationParameters } from './register.ts';
import { requireAsWatched } from './watched-source.ts';
import { adoptMembers, requireTag } from './registration-members.ts';
import { registerObject } from './registration-object.ts';
import { RegistrationWriter } from './registration-write.ts';
import { checkUnchanged } from './registration-check.ts';
import { makeAvailable } from './registration-freeze.ts';
import { dropPlan, planRegistration } from './registration-plan.ts';
import { clearReceived, removeMembers, removeReceived } from './registration-received.ts';
import { requestFor, errorOfOutcome } from './registration-request.ts';
import { diskFull, sourceProblem, classifySourceError } from './registration-source.ts';
import { stageOf } from '../store/measurement-states.ts';
import type { PlannedFile } from '../store/registration-rows.ts';
import { dropCopies, endStoring, intoObjectStorage, type StorageDeps } from './registration-store-object.ts';
import { discardMeasurement } from './remove.ts';
import { sweepLibrary } from '../storage/library-sweep.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { RemovedStores } from '../removed/store/stores.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { Database } from '../../database/port/database.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { Logger } from 'pino';

const filesPerBatch = 512;
const bytesPerBatch = 64 * 1024 * 1024;
// The thread reads the next batch while one is stored.
const batchesAhead = 2;

type RegisterDeps = Pick<MeasurementStores, 'leftOut' | 'registrations' | 'quotas' | 'uploads' | 'uploadParts'> &
  StorageDeps &
  Pick<AuditStores, 'audit'> &
  JobStores & {
    readonly config: ServiceConfig;
    readonly log: Logger;
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly diskSpace: DiskSpaceMonitor;
    readonly database: Database;
    readonly settings: SettingsStore;
  };

/** The registration job: list, read every file once, check again, freeze. */
export const registerWork: Work<RegisterDeps & RemovedStores> = {
  resumable: true,
  run: async (services, context) => {
    try {
      return await register(services, context);
    } catch (error) {
      // Also for a full disk during database or manifest writes: finished work is kept, and the job
      // resumes from there.
      throw isNoSpace(error) ? diskFull() : error;
    }
  },
  discard: async (services, job) => {
    const parameters = parametersOf(job) as RegistrationParameters;
    await endStoring(services, job.measurement_id);
    await clearReceived(services, parameters);
    await discardMeasurement(services, job.measurement_id);
    await removeReceived(parameters);
    if (parameters.copy) await sweepLibrary(services);
    await dropPlan(services, job.id);
  },
  restarted: (services, job) => {
    const {
      path: source,
      copy,
      title,
      leaveOut,
      received,
      upload,
      watched,
      lane,
    } = parametersOf(job) as RegistrationParameters;
    if (received === true || upload !== undefined)
      throw new HttpProblem(409, 'What was uploaded is removed when it cannot be registered. Upload it again.');
    if (job.user_id === null) throw new JobFailed('The user who registered this no longer exists.');
    return prepareRegistration(services, {
      path: source,
      copy,
      title,
      leaveOut,
      watched,
      lane,
      id: job.measurement_id,
      ownerId: job.user_id,
    });
  },
};

async function register(services: RegisterDeps, context: WorkContext): Promise<WorkResult> {
  if (await finished(services, context)) {
    await dropCopies(services, context.job.measurement_id);
    const parameters = parametersOf(context.job) as RegistrationParameters;
    await removeReceived(parameters);
    await clearReceived(services, parameters);
    return { message: null, result: null };
  }
  if ((parametersOf(context.job) as RegistrationParameters).kind === 'object') return registerObject(services, context);
  const thread = startHashThread(context.signal);
  try {
    const { planned, kind } = parametersOf(context.job) as RegistrationParameters;
    if (planned !== true && kind !== 'members')
      await planRegistration(services, context, thread, parametersOf(context.job) as RegistrationParameters);
    const job = await services.jobs.byId(context.job.id);
    const parameters = parametersOf(job ?? context.job) as RegistrationParameters;
    const writer = await RegistrationWriter.open(services, context);
    if (kind === 'members') await adoptMembers(services, context, thread, parameters, writer);
    else await readFiles(services, context, thread, parameters, writer);
    const { tag } = await checkUnchanged(services, context, thread, parameters, writer);
    requireTag(parameters, tag);
    await requireAsWatched(services, context, thread, parameters);
    if (parameters.copy) await intoObjectStorage(services, context);
    const result = await makeAvailable(services, context, writer, tag);
    await dropCopies(services, context.job.measurement_id);
    await removeMembers(thread, parameters);
    return result;
  } finally {
    await thread.close();
  }
}

// The service may have stopped between the last two steps.
async function finished(
  services: Pick<MeasurementStores, 'measurements' | 'registrations'>,
  context: WorkContext,
): Promise<boolean> {
  const measurement = await services.measurements.byId(context.job.measurement_id);
  if (!measurement || stageOf(measurement) === 'removing') throw new JobFailed('The measurement was removed.');
  if (measurement.state === 'registering') return false;
  await dropPlan(services, context.job.id);
  return true;
}

async function readFiles(
  services: Pick<MeasurementStores, 'registrations'> & {
    readonly paths: DataPaths;
    readonly diskSpace: DiskSpaceMonitor;
  },
  context: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
  writer: RegistrationWriter,
): Promise<void> {
  const totals = await services.registrations.plannedTotals(context.job.id);
  context.report({
    filesTotal: totals.files,
    bytesTotal: totals.bytes,
    message: parameters.copy ? 'Copying into the library' : 'Computing checksums',
  });
  const before = thread.bytes();
  const ticking = setInterval(() => writer.showRead(thread.bytes() - before, totals.bytes), 200);
  const pending: { readonly files: readonly PlannedFile[]; readonly outcomes: Promise<readonly FileOutcome[]> }[] = [];
  let next = writer.count;
  try {
    for (;;) {
      while (pending.length < batchesAhead) {
        const files = batchOf(await services.registrations.planned(context.job.id, next, filesPerBatch));
        const last = files.at(-1);
        if (!last) break;
        next = last.idx + 1;
        const outcomes = thread.run(requestFor(services, context.job, parameters, files));
        outcomes.catch(() => {});
        pending.push({ files, outcomes });
      }
      const batch = pending.shift();
      if (!batch) return;
      const outcomes = await batch.outcomes;
      context.signal.throwIfAborted();
      if (parameters.copy && services.diskSpace.low) throw diskFull();
      // The archive was replaced, so the listed offsets of its entries are invalid.
      const gone = parameters.archive ? await sourceProblem(parameters) : null;
      if (gone) throw gone;
      await storeOutcomes(parameters, batch.files, outcomes, writer);
    }
  } catch (error) {
    throw await classifySourceError(error, parameters);
  } finally {
    clearInterval(ticking);
  }
}

/**
 * Limits a batch to the bytes that may have to be read again after a kill, together with the
 * batches ahead.
 */
function batchOf(files: readonly PlannedFile[]): readonly PlannedFile[] {
  let bytes = 0;
  const end = files.findIndex((file) => {
    bytes += file.length;
    return bytes > bytesPerBatch;
  });
  return end < 0 ? files : files.slice(0, Math.max(1, end));
}

async function storeOutcomes(
  parameters: RegistrationParameters,
  files: readonly PlannedFile[],
  outcomes: readonly FileOutcome[],
  writer: RegistrationWriter,
): Promise<void> {
  const byIndex = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  const good = [];
  let failure: Error | null = null;
  for (const file of files) {
    const outcome = byIndex.get(file.idx);
    if (!outcome || 'failed' in outcome) {
      failure = await errorOfOutcome(parameters, file, outcome);
      break;
    }
    good.push({ file, digest: outcome });
  }
  // Files read before the failure are stored, so that a resumed job continues after them.
  await writer.write(good);
  if (failure) throw failure;
}
