import { setTimeout as wait } from 'node:timers/promises';
import { activeJobStates, jobTransitions } from '../../../src-shared/states/job-states.ts';
import type { Job, JobAction } from '../contract/jobs.ts';
import { HttpProblem } from '../common/problem.ts';
import { Serial } from '../common/serial.ts';
import type { JobStores } from './stores.ts';
import { runsElsewhere, thisProcess } from './job-process.ts';
import { jobAnnouncements } from './job-announcements.ts';
import { jobShape } from './job-shape.ts';
import { parametersOf, type Works } from './job-work.ts';
import type { JobRow, NewJob } from './jobs-store.ts';
import { retriedPump } from './retried-pump.ts';
import {
  interruptedMessage,
  pausedByPerson,
  startJob,
  storeRetryMs,
  type LiveJob,
  type RunJobDeps,
} from './run-job.ts';
import type { ServiceContext } from '../http/service-context.ts';

/** Jobs that other replicas queue are found within this time. */
const lookEveryMs = 1000;

// An action is answered by then, also when the disk is too full to store what became of the job.
const maxAnswerMs = 5000;
const unref = { ref: false };

type SteeringAction = Exclude<JobAction, 'retry'>;

const messages: Readonly<Record<JobAction, string | null>> = {
  pause: pausedByPerson,
  resume: null,
  cancel: 'Cancelled',
  retry: 'Tried again',
};

export interface JobRunner {
  /**
   * Queues a job. One job runs at a time for each kind, or for each queue that the parameter `lane`
   * names.
   */
  enqueue(job: NewJob): Promise<JobRow>;
  /** Starts queued jobs if possible. */
  wake(): void;
  act(job: JobRow, action: SteeringAction): Promise<JobRow>;
  /**
   * Creates a new job from a failed one, which is then dismissed. @throws HttpProblem 409 when it
   * has not failed, or with the reason why it cannot be retried.
   */
  retry(job: JobRow): Promise<JobRow>;
  shape(row: JobRow): Job;
  /** Resolves when the job has ended or left the queue. */
  ended(id: number): Promise<JobRow>;
  /** Whether no job is running or queued. */
  idle(): Promise<boolean>;
  /**
   * Resumes the jobs that were interrupted by the end of the last process; among replicas, begins to
   * look for jobs that others queue.
   */
  recover(): Promise<void>;
  /** Resumes the jobs of replicas that are dead, for the one that leads. */
  recoverOfDeadReplicas(): Promise<void>;
  /** Stops all jobs; they resume at the next start. */
  stop(): Promise<void>;
}

/** Dependencies of the queue itself. */
export type JobRunnerDeps = JobStores & RunJobDeps & Pick<ServiceContext, 'events'>;

/** Runs queued jobs in this process and announces their progress. */
export function jobRunner<Deps extends JobRunnerDeps>(services: Deps, works: Works<Deps>): JobRunner {
  const running = new Map<string, LiveJob>();
  let stopping = false;
  const isReplica = services.cluster.replica() !== null;
  let looking: NodeJS.Timeout | null = null;
  const endOfLosses = services.cluster.onLeaseLost((lost) => {
    for (const live of running.values()) if (live.row.replica_id === lost.id) live.stop('lost');
  });
  // A job is either started or changed, never both at once.
  const serial = new Serial();
  const announcements = jobAnnouncements(services, shape);
  const { announce } = announcements;
  const { wake, stop: stopWaking } = retriedPump(pump, { serial, log: services.log, retryMs: storeRetryMs });

  function liveOf(id: number): LiveJob | undefined {
    return [...running.values()].find((live) => live.row.id === id);
  }

  function shape(row: JobRow): Job {
    return jobShape(row, liveOf(row.id));
  }

  async function pump(): Promise<void> {
    const replica = services.cluster.replica();
    if (stopping || (isReplica && replica === null)) return;
    for (const row of await services.jobs.inState('queued')) {
      const lane = queueOf(row);
      if (running.has(lane) || runsElsewhere(row, replica)) continue;
      const started = await services.jobs.start(row.id, thisProcess(), replica?.id ?? null);
      if (!started) continue;
      const live = startJob(services, started, works[row.kind], () => announce(row));
      running.set(lane, live);
      announce(row);
      void live.ended.then(() => {
        running.delete(lane);
        announce(row);
        wake();
      });
    }
  }

  async function act(job: JobRow, action: SteeringAction): Promise<JobRow> {
    const found = await serial.run(async () => liveOf(job.id) ?? (await actOnStored(job, action)));
    if (found === 'changed') await acted(job, action);
    else if (found !== 'unchanged') await Promise.race([actOnLive(found, action), wait(maxAnswerMs, null, unref)]);
    announce(job);
    return (await services.jobs.byId(job.id)) ?? job;
  }

  async function actOnLive(live: LiveJob, action: SteeringAction): Promise<void> {
    const waits = action === 'resume' || (action === 'pause' && !works[live.row.kind].resumable);
    if (waits && !live.stopping) return live.setPaused(action === 'pause');
    if (!waits) live.stop(action);
    await live.ended;
    // It may have ended otherwise, for example with a pause for want of space.
    if ((await serial.run(async () => actOnStored(live.row, action))) === 'changed') await acted(live.row, action);
    return undefined;
  }

  async function actOnStored(job: JobRow, action: SteeringAction): Promise<'changed' | 'unchanged'> {
    return (await services.jobs.act(job.id, action, messages[action])) ? 'changed' : 'unchanged';
  }

  async function acted(job: JobRow, action: SteeringAction): Promise<void> {
    if (action === 'resume') wake();
    // A process that runs it notices within a second and cleans up.
    if (action !== 'cancel') return;
    const replica = services.cluster.replica();
    // It may have been started since the caller read it.
    const now = (await services.jobs.byId(job.id)) ?? job;
    if (![job, now].some((row) => runsElsewhere(row, replica))) await works[job.kind].discard(services, job);
  }

  async function enqueue(job: NewJob): Promise<JobRow> {
    const row = await services.jobs.create(job);
    announce(row);
    wake();
    return row;
  }

  return {
    enqueue,
    wake,
    retry: async (job) => {
      const { restarted } = works[job.kind];
      const next = restarted && jobTransitions[job.state].retry !== 'refused' ? await restarted(services, job) : null;
      // Asked twice at once, it is tried again once.
      if (!next || !(await services.jobs.act(job.id, 'retry', messages.retry)))
        throw new HttpProblem(409, 'Only a job that has failed can be tried again.', { type: 'job-not-failed' });
      announce(job);
      return enqueue(next);
    },
    act: async (job, action) => {
      if (jobTransitions[job.state][action] === 'refused')
        throw new HttpProblem(409, 'This job has already ended.', { type: 'job-ended' });
      const isPause = action === 'pause' || action === 'resume';
      const isWaiting = job.state === 'running' && isPause && !works[job.kind].resumable && !liveOf(job.id);
      if (isReplica && isWaiting)
        throw new HttpProblem(409, 'This job runs in another process and can only be cancelled.', {
          type: 'job-elsewhere',
        });
      return act(job, action);
    },
    shape,
    ended: async (id) => {
      await serial.settled();
      await liveOf(id)?.ended;
      const row = await services.jobs.byId(id);
      if (!row) throw new Error(`job ${id} is gone`);
      return row;
    },
    idle: async () => running.size === 0 && (await services.jobs.inState('queued', 'running')).length === 0,
    recover: async () => {
      if (isReplica) looking ??= setInterval(wake, lookEveryMs).unref();
      else
        await serial.run(async () => {
          for (const job of await services.jobs.inState(...activeJobStates))
            if (!runsElsewhere(job, null) && !liveOf(job.id)) await recoverOne(job);
        });
      wake();
    },
    recoverOfDeadReplicas: async () => {
      for (const job of await services.jobs.ofDeadReplicas()) {
        if (job.state === 'running') await recoverOne(job);
        else if (job.state === 'cancelled') await works[job.kind].discard(services, job);
        if (job.replica_id !== null) await services.jobs.release(job.id, job.replica_id);
      }
    },
    stop: async () => {
      stopping = true;
      announcements.stop();
      stopWaking();
      endOfLosses();
      clearInterval(looking ?? undefined);
      await serial.settled();
      for (const live of running.values()) live.stop('shutdown');
      await Promise.allSettled([...running.values()].map((live) => live.ended));
    },
  };

  async function recoverOne(job: JobRow): Promise<void> {
    if (works[job.kind].resumable)
      return void (await services.jobs.end(
        job.id,
        { event: 'requeue', message: job.message, result: null },
        job.replica_id,
      ));
    await works[job.kind].discard(services, job);
    await services.jobs.interrupt(job.id, interruptedMessage, job.replica_id);
    return undefined;
  }
}

function queueOf(job: JobRow): string {
  return (parametersOf(job) as { lane?: string }).lane ?? job.kind;
}
