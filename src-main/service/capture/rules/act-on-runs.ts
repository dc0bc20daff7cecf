import { offers } from '../../../../src-shared/states/transitions.ts';
import { captureTransitions } from '../../../../src-shared/states/capture-states.ts';
import type { CaptureRunActionRequest } from '../../contract/capture/capture.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import { noCause, type CaptureRunRow } from '../store/capture-rows.ts';
import type { CaptureStores } from '../store/stores.ts';

export type ActOnRunsDeps = Pick<CaptureStores, 'captureRuns'> &
  JobStores &
  Pick<MeasurementStores, 'measurements'> & { readonly jobRunner: Pick<JobRunner, 'act'> };

/**
 * Applies a decision of a person to runs; those that it does not fit stay as they are.
 *
 * @returns how many changed.
 * @throws HttpProblem 409 when the id that a run is to have is taken, 400 for one id for several.
 */
export async function actOnRuns(deps: ActOnRunsDeps, request: CaptureRunActionRequest): Promise<number> {
  const { ids, measurement_id: wantedId } = request;
  if (wantedId !== undefined) {
    if (ids.length > 1) throw new HttpProblem(400, 'An id is for one run.');
    if (await deps.measurements.byId(wantedId))
      throw new HttpProblem(409, `There is already a measurement ${wantedId}. Choose another id.`, {
        type: 'id-taken',
      });
  }
  let changed = 0;
  for (const id of ids) {
    const run = await deps.captureRuns.byId(id);
    if (run && (await act(deps, run, request))) changed += 1;
  }
  return changed;
}

async function act(deps: ActOnRunsDeps, run: CaptureRunRow, request: CaptureRunActionRequest): Promise<boolean> {
  const { captureRuns } = deps;
  const now = Date.now();
  const decision = { wantedId: request.measurement_id ?? null, leavesOut: request.leave_out === true };
  switch (request.action) {
    case 'keep':
      if (!offers(captureTransitions, run.state, 'keep')) return false;
      await captureRuns.setMeasurement(run.id, run.measurement_id, run.signature);
      return captureRuns.apply(run.id, 'keep', noCause, now);
    case 'skip':
      if (run.state === 'hashing') await cancelRegistration(deps, run);
      return captureRuns.apply(run.id, 'skip', { reason: 'by-hand', message: null }, now);
    case 'register':
    case 'retry': {
      const isForced = request.action === 'register';
      const isWaiting = run.state === 'seen' || run.state === 'growing' || run.state === 'quiet';
      if (isForced && isWaiting) {
        await captureRuns.decide(run.id, { ...decision, isForced });
        return true;
      }
      if (!offers(captureTransitions, run.state, 'retry')) return false;
      await captureRuns.setMeasurement(run.id, null, null);
      await captureRuns.decide(run.id, { ...decision, isForced });
      return captureRuns.apply(run.id, 'retry', noCause, now);
    }
  }
}

async function cancelRegistration({ jobs, jobRunner }: ActOnRunsDeps, run: CaptureRunRow): Promise<void> {
  for (const job of await jobs.ofMeasurement(run.measurement_id ?? ''))
    if (job.kind === 'register' && offersCancel(job.state)) await jobRunner.act(job, 'cancel');
}

function offersCancel(state: string): boolean {
  return state === 'queued' || state === 'running' || state === 'paused';
}
