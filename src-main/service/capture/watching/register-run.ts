import type { Logger } from 'pino';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { errorCode } from '../../common/error-code.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { Events } from '../../common/events.ts';
import { isWhole, newCopy } from '../../copies/add-copies.ts';
import type { CopyStores } from '../../copies/store/stores.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { JobStores } from '../../jobs/stores.ts';
import { grantAccess } from '../../measurements/access/grant-access.ts';
import { prepareRegistration, type RegistrationRequest } from '../../measurements/registration/register.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import { atTheMachine } from '../../http/principal.ts';
import type { ServerStores } from '../../servers/stores.ts';
import { CaptureProblem, nameRun, type NamingDeps, type RunNames } from '../naming/name-run.ts';
import { scanRuleOf, sourceOf } from '../scanning/scan-rule.ts';
import { stemOf } from '../scanning/scan-run.ts';
import type { ScanThreads } from '../scanning/scan-threads.ts';
import type { CaptureRuleRow, CaptureRunRow, RegistrationPlan } from '../store/capture-rows.ts';

export type RegisterRunDeps = NamingDeps &
  AuditStores &
  JobStores &
  MeasurementStores &
  Pick<CopyStores, 'copies'> &
  ServerStores & {
    readonly config: ServiceConfig;
    readonly diskSpace: DiskSpaceMonitor;
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly log: Logger;
    readonly jobRunner: Pick<JobRunner, 'enqueue' | 'act'>;
    readonly threads: Pick<ScanThreads, 'call'>;
  };

/** The names of a run by the rule as it is now. @throws CaptureProblem */
export async function namesOf(
  deps: NamingDeps & Pick<RegisterRunDeps, 'threads'>,
  rule: Pick<CaptureRuleRow, 'id' | 'settings'>,
  run: Pick<CaptureRunRow, 'name' | 'first_seen_at' | 'wanted_id'>,
): Promise<RunNames> {
  const { settings, id } = rule;
  const read =
    settings.fields.length === 0
      ? {}
      : await deps.threads.call(id, 'fields', [scanRuleOf(id, settings), run.name, settings.fields]);
  return nameRun(deps, settings, { name: run.name, firstSeenAt: run.first_seen_at, read }, run.wanted_id);
}

/** Whether a registration failed because of its run; that its share goes away for a while is no fault of the run. */
export async function isFaultOfRun(
  { threads }: Pick<RegisterRunDeps, 'threads'>,
  { id, settings }: Pick<CaptureRuleRow, 'id' | 'settings'>,
  name: string,
  { cause }: CaptureProblem,
): Promise<boolean> {
  if (['ENOENT', 'ENOTDIR', 'ESTALE'].includes(errorCode(cause))) return false;
  const { runs } = await threads.call(id, 'scan', [scanRuleOf(id, settings), [name], []]);
  return runs[0]?.exists === true;
}

/** @throws CaptureProblem when another measurement has the id. */
export async function requireFreeId(
  { measurements }: Pick<MeasurementStores, 'measurements'>,
  id: string,
): Promise<void> {
  if (await measurements.byId(id))
    throw new CaptureProblem('id-taken', `There is already a measurement ${id}. Choose another id.`);
}

/**
 * Begins the registration of a run that is in the state `hashing`.
 *
 * @param content digest of its bytes as they were read before; null when they were not.
 * @throws CaptureProblem
 */
export async function beginRegistration(
  deps: RegisterRunDeps,
  rule: CaptureRuleRow,
  run: CaptureRunRow,
  plan: RegistrationPlan,
  content: string | null,
): Promise<void> {
  const source = sourceOf(rule.settings, run.name);
  const isZip = source.kind === 'file' && /\.zip$/i.test(source.path);
  const request: RegistrationRequest = {
    path: source.path,
    id: plan.id,
    title: plan.title,
    copy: rule.settings.copy,
    leaveOut: run.leaves_out === 1,
    ownerId: plan.ownerId,
    lane: `capture-${rule.id}`,
    watched: {
      ignore: rule.settings.ignore,
      only: source.only,
      signature: isZip || run.leaves_out === 1 ? null : run.signature,
      stem: stemOf(rule.settings, run.name),
      content: isZip || run.leaves_out === 1 ? null : content,
    },
  };
  try {
    await deps.jobRunner.enqueue(await prepareRegistration(deps, request));
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    throw new CaptureProblem(error.type === 'id-taken' ? 'id-taken' : 'failed', error.message, { cause: error.cause });
  }
}

/** Lets others read a registered run and keeps a copy of it, as the rule says; may be repeated. */
export async function afterRegistration(
  deps: RegisterRunDeps,
  rule: CaptureRuleRow,
  { id: measurementId, readers, projectId, pushProject }: RegistrationPlan,
): Promise<void> {
  if (projectId !== null && !(await deps.projects.byId(projectId)))
    throw new CaptureProblem('unknown-project', 'Its project was removed meanwhile.');
  for (const reader of readers)
    if ('userId' in reader && !(await deps.users.byId(reader.userId)))
      throw new CaptureProblem('unknown-reader', 'A user who may read it was removed meanwhile.');
  const subjects = [...readers, ...(projectId === null ? [] : [{ projectId }])];
  for (const subject of subjects) await grantAccess(deps, measurementId, subject, null, atTheMachine);
  if (rule.settings.push_to === null) return;
  const server = await deps.servers.byId(rule.settings.push_to);
  const measurement = await deps.measurements.byId(measurementId);
  if (!server) throw new CaptureProblem('no-server', 'The server to push to is no longer in the list.');
  if (measurement && isWhole(measurement))
    await deps.copies.add([newCopy(measurement, server, pushProject)], Date.now());
}
