import { offers } from '../../../../src-shared/states/transitions.ts';
import { captureTransitions } from '../../../../src-shared/states/capture-states.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { Actor } from '../../http/principal.ts';
import type { CaptureRunActionRequest } from '../../contract/capture/runs.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import { cancelRegistration, type CancelDeps } from '../watching/cancel-registration.ts';
import { noCause, type CaptureRunRow } from '../store/capture-rows.ts';
import type { CaptureStores } from '../store/stores.ts';

export type ActOnRunsDeps = Pick<CaptureStores, 'captureRuns'> &
  CancelDeps &
  AuditStores &
  Pick<MeasurementStores, 'measurements'>;

/**
 * Applies a decision of a person to runs; those that it does not fit stay as they are.
 *
 * @returns how many changed.
 * @throws HttpProblem 409 when the id that a run is to have is taken, 400 for one id for several.
 */
export async function actOnRuns(deps: ActOnRunsDeps, request: CaptureRunActionRequest, by: Actor): Promise<number> {
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
    if (!run || !(await act(deps, run, request))) continue;
    changed += 1;
    const detail = `${request.action} ${run.name}`;
    await deps.audit.record({ ...by, action: 'capture.decide', subject: `capture:${run.rule_id}`, detail });
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
      // Before the cancelling: a job that is only being made sees that nobody wants it any more.
      if (!(await captureRuns.apply(run.id, 'skip', { reason: 'by-hand', message: null }, now))) return false;
      if (run.state === 'hashing') await cancelRegistration(deps, run.measurement_id ?? '');
      return true;
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
