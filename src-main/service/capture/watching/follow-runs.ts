import { parametersOf } from '../../jobs/job-work.ts';
import { pausedByPerson } from '../../jobs/run-job.ts';
import type { JobRow } from '../../jobs/jobs-store.ts';
import { CaptureProblem } from '../naming/name-run.ts';
import { noCause, type CaptureRuleRow, type CaptureRunRow, type RegistrationPlan } from '../store/capture-rows.ts';
import type { CaptureStores } from '../store/stores.ts';
import { afterRegistration, type RegisterRunDeps } from './register-run.ts';

export type FollowDeps = RegisterRunDeps &
  CaptureStores & {
    /** A run is seen as if it had changed just now, and waits for twice as long. */
    readonly differed: (run: CaptureRunRow) => Promise<void>;
  };

/**
 * Takes over how the registration of a run has ended.
 *
 * @returns whether it has ended.
 */
export async function followRegistration(
  deps: FollowDeps,
  rule: CaptureRuleRow,
  run: CaptureRunRow,
  now: number,
): Promise<boolean> {
  const id = run.measurement_id ?? '';
  const job = latest(await deps.jobs.ofMeasurement(id));
  if (!job) return followWithoutJob(deps, rule, run, now);
  switch (job.state) {
    case 'done':
      return finish(deps, rule, run, now);
    case 'failed':
      await fail(deps, run, job, now);
      return true;
    case 'cancelled':
      await deps.captureRuns.setMeasurement(run.id, null, null);
      return deps.captureRuns.apply(
        run.id,
        'remove',
        { reason: 'by-hand', message: 'Its registration was cancelled.' },
        now,
      );
    case 'paused':
      await deps.captureRuns.explain(run.id, { reason: null, message: job.message });
      if (waitsForFolder(job)) await deps.jobRunner.act(job, 'resume');
      return false;
    case 'queued':
    case 'running':
      await deps.captureRuns.explain(run.id, noCause);
      return false;
  }
}

/** The folder answers, or nothing would be followed; a full disk and a person are waited for. */
function waitsForFolder(job: JobRow): boolean {
  const { needs_room: bytes } = parametersOf(job) as { readonly needs_room?: number };
  return bytes === undefined && job.message !== pausedByPerson;
}

function latest(jobs: readonly JobRow[]): JobRow | undefined {
  return jobs.filter(({ kind }) => kind === 'register').toSorted((a, b) => b.id - a.id)[0];
}

async function followWithoutJob(
  deps: FollowDeps,
  rule: CaptureRuleRow,
  run: CaptureRunRow,
  now: number,
): Promise<boolean> {
  const measurement = await deps.measurements.byId(run.measurement_id ?? '');
  // Jobs that ended long ago are removed.
  if (measurement && measurement.state !== 'registering') return finish(deps, rule, run, now);
  // A reservation that a kill left behind is removed at the next start.
  if (measurement) return false;
  // Killed before there was a job: it is judged again, because what was read of it is forgotten.
  await deps.captureRuns.setMeasurement(run.id, null, null);
  return deps.captureRuns.apply(run.id, 'differ', noCause, now);
}

async function finish(deps: FollowDeps, rule: CaptureRuleRow, run: CaptureRunRow, now: number): Promise<boolean> {
  let cause = noCause;
  try {
    if (run.plan !== null) await afterRegistration(deps, rule, JSON.parse(run.plan) as RegistrationPlan);
  } catch (error) {
    if (!(error instanceof CaptureProblem)) throw error;
    // It is registered all the same; who may read it has to be said by hand.
    cause = { reason: error.reason, message: `It is registered. ${error.message}` };
  }
  return deps.captureRuns.apply(run.id, 'finish', cause, now);
}

async function fail(deps: FollowDeps, run: CaptureRunRow, job: JobRow, now: number): Promise<void> {
  const { captureRuns, jobs } = deps;
  if (job.result === 'changed') {
    await captureRuns.apply(run.id, 'differ', { reason: 'changed', message: job.message }, now);
    await deps.differed(run);
  } else {
    const reason = job.result === 'refused-names' ? 'refused-names' : 'failed';
    await captureRuns.apply(run.id, 'fail', { reason, message: job.message }, now);
  }
  await captureRuns.setMeasurement(run.id, null, null);
  // The list of runs says what happened; the list of jobs would offer to repeat it.
  await jobs.act(job.id, 'retry', null);
}
