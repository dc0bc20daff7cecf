import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { jobTransitions } from '../../../src-shared/states/job-states.ts';
import { ImpossibleEvent } from '../../../src-shared/states/transitions.ts';
import type { Counters } from '../metrics/counters.ts';
import type { OwnErrors } from '../own-errors/own-errors.ts';
import { leaseMs } from '../database/cluster/cluster.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { JobStores } from './stores.ts';
import {
  JobFailed,
  JobMustPause,
  JobNeedsDiskSpace,
  JobStopped,
  type WhyStopped,
  type Work,
  type WorkContext,
} from './job-work.ts';
import type { JobEnd, JobProgress, JobRow } from './jobs-store.ts';

/** A job that runs in this process. */
export interface LiveJob {
  readonly row: JobRow;
  progress: JobProgress;
  bytesPerSecond: number;
  /** Whether it waits at the gate. */
  paused: boolean;
  /** Whether it was told to stop and may still be working. */
  stopping: boolean;
  stop(why: WhyStopped): void;
  /** Pauses or resumes work that waits at the gate. */
  setPaused(paused: boolean): void;
  readonly ended: Promise<JobEnd>;
}

const storeEveryMs = 1000;
/** Message of a job that a person has paused. */
export const pausedByPerson = 'Paused';
export const interruptedMessage = 'The service was stopped before this had finished. Start it again.';
/** Milliseconds between retries after a full disk. */
export const storeRetryMs = 2000;
const windowMs = 5000;

/** Dependencies of running a job, beside those of its kind. */
export type RunJobDeps = JobStores &
  Pick<ServiceContext, 'cluster'> & {
    readonly log: Logger;
    readonly counters: Counters;
    readonly ownErrors: OwnErrors;
  };

/**
 * Runs one job until it ends, pauses or is stopped, and stores the outcome. The command line uses
 * it without a queue.
 *
 * @param row as `start` of the store returned it.
 * @param changed called on every change of progress; the caller limits the rate of announcements.
 */
export function startJob<Deps extends RunJobDeps>(
  services: Deps,
  row: JobRow,
  work: Work<Deps>,
  changed: (live: LiveJob) => void,
): LiveJob {
  const controller = new AbortController();
  const shutdown = new AbortController();
  let open: (() => void) | null = null;
  let settle: (end: JobEnd) => void = () => {};
  let gate: Promise<void> | null = null;
  let discarded = false;
  const samples: { readonly at: number; readonly bytes: number }[] = [];
  const live: LiveJob = {
    row,
    progress: {
      filesDone: row.files_done,
      filesTotal: row.files_total,
      bytesDone: row.bytes_done,
      bytesTotal: row.bytes_total,
      message: row.message,
    },
    bytesPerSecond: 0,
    paused: false,
    stopping: false,
    stop: (why) => {
      live.stopping = true;
      controller.abort(new JobStopped(why));
      if (why === 'shutdown') shutdown.abort();
    },
    setPaused: (paused) => {
      live.paused = paused;
      if (paused) gate ??= new Promise((resolve) => (open = resolve));
      else {
        open?.();
        gate = null;
      }
      changed(live);
    },
    ended: new Promise((resolve) => (settle = resolve)),
  };
  const parameters = JSON.parse(row.parameters) as Record<string, unknown>;
  const storing = setInterval(() => {
    void services.jobs.progress(row.id, live.progress, row.replica_id).then(
      async (running) => {
        if (!running) live.stop(await changedElsewhere(services, row));
      },
      (error: unknown) => services.log.warn({ err: error, job: row.id }, 'progress not stored'),
    );
  }, storeEveryMs);
  const context: WorkContext = {
    job: row,
    signal: controller.signal,
    report: (progress) => {
      stopWithoutLease();
      live.progress = { ...live.progress, ...progress };
      live.bytesPerSecond = rate(samples, live.progress.bytesDone);
      changed(live);
    },
    remember: async (more) => {
      Object.assign(parameters, more);
      await services.jobs.remember(row.id, parameters, row.replica_id);
    },
    gate: async () => {
      stopWithoutLease();
      if (gate) await Promise.race([gate, aborted(controller.signal)]);
      controller.signal.throwIfAborted();
    },
  };
  void perform().then(settle);
  return live;

  async function perform(): Promise<JobEnd> {
    let end: JobEnd;
    try {
      end = { event: 'succeed', ...(await work.run(services, context)) };
    } catch (error) {
      end = endOf(error, row, services, work.resumable);
      if (error instanceof JobNeedsDiskSpace) parameters['needs_room'] = error.bytes;
    }
    clearInterval(storing);
    services.counters.add('jobs', [row.kind, jobTransitions.running[end.event]]);
    while (!(await stored(end))) {
      // A temporarily full disk must not leave the job marked as running. After a shutdown it is
      // found in that state at the next start.
      await setTimeout(storeRetryMs, undefined, { signal: shutdown.signal }).catch(() => {});
      if (shutdown.signal.aborted) break;
    }
    return end;
  }

  // A process that was stopped or cut off may find that others have the job by now.
  function stopWithoutLease(): void {
    if (row.replica_id !== null && services.cluster.accessAgeMs() > leaseMs) live.stop('lost');
  }

  // A later file with the name of a leftover belongs to another job.
  async function discardOnce(): Promise<void> {
    if (!discarded) await work.discard(services, row);
    discarded = true;
  }

  async function stored(end: JobEnd): Promise<boolean> {
    try {
      const isLost = controller.signal.reason instanceof JobStopped && controller.signal.reason.why === 'lost';
      if (!isLost && (end.event === 'fail' || end.event === 'cancel')) await discardOnce();
      if (end.event !== 'cancel') await services.jobs.progress(row.id, live.progress, row.replica_id);
      if ('needs_room' in parameters) await services.jobs.remember(row.id, parameters, row.replica_id);
      const applied = await services.jobs.end(row.id, end, row.replica_id);
      // Another process cancelled it at the last moment.
      if (applied ? isLost && end.event === 'fail' : (await changedElsewhere(services, row)) === 'cancel')
        await discardOnce();
      if (!applied && row.replica_id !== null) await services.jobs.release(row.id, row.replica_id);
      return true;
    } catch (error) {
      services.log.error({ err: error, job: row.id }, 'the end of a job was not stored');
      return error instanceof ImpossibleEvent;
    }
  }
}

/** State of a job that no longer runs, because another process changed its row. */
async function changedElsewhere({ jobs }: JobStores, row: JobRow): Promise<WhyStopped> {
  if (row.replica_id === null) return 'cancel';
  const now = await jobs.byId(row.id);
  if (now && now.replica_id !== row.replica_id) return 'lost';
  return now === null || now.state === 'cancelled' ? 'cancel' : 'pause';
}

function endOf(error: unknown, row: JobRow, services: RunJobDeps, resumable: boolean): JobEnd {
  if (error instanceof JobStopped) {
    if (error.why === 'cancel') return { event: 'cancel', message: 'Cancelled', result: null };
    if (error.why === 'lost' && !resumable) return { event: 'fail', message: interruptedMessage, result: null };
    // After a shutdown it resumes automatically, after a pause on request.
    return error.why === 'pause'
      ? { event: 'pause', message: pausedByPerson, result: null }
      : { event: 'requeue', message: row.message, result: null };
  }
  if (error instanceof JobMustPause) return { event: 'pause', message: error.message, result: null };
  if (error instanceof JobFailed) {
    // An instrument that goes on writing is no fault.
    if (error.code !== 'changed') reportFailure(services, row);
    return { event: 'fail', message: error.message, result: error.code };
  }
  services.log.error({ err: error, job: row.id }, 'a job failed unexpectedly');
  return { event: 'fail', message: 'Something failed on the server. The log has the details.', result: null };
}

/** The message names files, so it is not reported; the list of jobs shows it. */
function reportFailure({ ownErrors }: RunJobDeps, { kind }: JobRow): void {
  ownErrors.report({
    source: 'job',
    level: 'warning',
    type: 'JobFailed',
    message: `A job failed: ${kind}`,
    stack: null,
    during: `job ${kind}`,
  });
}

function rate(samples: { readonly at: number; readonly bytes: number }[], bytes: number): number {
  const at = performance.now();
  samples.push({ at, bytes });
  while (samples.length > 2 && at - (samples[0]?.at ?? at) > windowMs) samples.shift();
  const first = samples[0];
  return first && at - first.at > 200 ? Math.max(0, Math.round(((bytes - first.bytes) / (at - first.at)) * 1000)) : 0;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
