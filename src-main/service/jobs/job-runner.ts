import type { Job, JobAction } from '../contract/jobs.ts';
import { HttpProblem } from '../common/problem.ts';
import type { Events } from '../common/events.ts';
import type { JobStores } from './stores.ts';
import { isAlive, thisProcess } from './job-process.ts';
import { jobShape } from './job-shape.ts';
import { parametersOf, type Works } from './job-work.ts';
import type { JobRow, NewJob } from './jobs-store.ts';
import { startJob, storeRetryMs, type LiveJob, type RunJobDeps } from './run-job.ts';

const announceEveryMs = 250;
const maxRemembered = 200;

type SteeringAction = Exclude<JobAction, 'retry'>;

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
  /** Resumes the jobs that were interrupted by the end of the last process. */
  recover(): Promise<void>;
  /** Stops all jobs; they resume at the next start. */
  stop(): Promise<void>;
}

/** Dependencies of the queue itself. */
export type JobRunnerDeps = JobStores & RunJobDeps & { readonly events: Events };

/** Runs queued jobs in this process and announces their progress. */
export function jobRunner<Deps extends JobRunnerDeps>(services: Deps, works: Works<Deps>): JobRunner {
  const running = new Map<string, LiveJob>();
  const announced = new Map<number, { at: number; timer: NodeJS.Timeout | null }>();
  let stopping = false;
  let pumping: Promise<void> = Promise.resolve();

  function liveOf(id: number): LiveJob | undefined {
    return [...running.values()].find((live) => live.row.id === id);
  }

  function announce(row: JobRow): void {
    const last = announced.get(row.id) ?? { at: 0, timer: null };
    announced.set(row.id, last);
    if (last.timer) return;
    const wait = Math.max(0, last.at + announceEveryMs - performance.now());
    last.timer = setTimeout(() => {
      last.timer = null;
      last.at = performance.now();
      // Bounded: an old job has no further progress to announce.
      if (announced.size > maxRemembered) announced.delete(announced.keys().next().value ?? 0);
      void announceNow(row.id).catch((error: unknown) => services.log.warn({ err: error }, 'a job was not announced'));
    }, wait);
    last.timer.unref();
  }

  async function announceNow(id: number): Promise<void> {
    const row = stopping ? null : await services.jobs.byId(id);
    if (row) services.events.emit('job', shape(row));
  }

  function shape(row: JobRow): Job {
    return jobShape(row, liveOf(row.id));
  }

  function wake(): void {
    pumping = pumping.then(pump).catch((error: unknown) => {
      services.log.error({ err: error }, 'the queue of jobs has stopped for now');
      // A full disk prevents starting jobs, and no other event may call `wake` again.
      if (!stopping) setTimeout(wake, storeRetryMs).unref();
    });
  }

  async function pump(): Promise<void> {
    if (stopping) return;
    for (const row of await services.jobs.inState('queued')) {
      const lane = queueOf(row);
      if (running.has(lane) || runsElsewhere(row)) continue;
      if (!(await services.jobs.start(row.id))) continue;
      const live = startJob(services, { ...row, state: 'running' }, works[row.kind], () => announce(row));
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
    const live = liveOf(job.id);
    if (live) await actOnLive(live, action);
    else await actOnStored(job, action);
    announce(job);
    return (await services.jobs.byId(job.id)) ?? job;
  }

  async function actOnLive(live: LiveJob, action: SteeringAction): Promise<void> {
    if (action === 'resume') return live.setPaused(false);
    if (action === 'pause' && !works[live.row.kind].resumable) return live.setPaused(true);
    live.stop(action);
    await live.ended;
    return undefined;
  }

  async function actOnStored(job: JobRow, action: SteeringAction): Promise<void> {
    if (
      action === 'cancel' &&
      (await services.jobs.change(job.id, ['queued', 'running', 'paused'], 'cancelled', 'Cancelled'))
    ) {
      // The process that runs it notices within a second and cleans up.
      if (!runsElsewhere(job)) await works[job.kind].discard(services, job);
    } else if (action === 'pause') await services.jobs.change(job.id, ['queued'], 'paused', 'Paused');
    else if (action === 'resume' && (await services.jobs.change(job.id, ['paused'], 'queued', null))) wake();
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
      if (!restarted || job.state !== 'failed')
        throw new HttpProblem(409, 'Only a job that has failed can be tried again.', { type: 'job-not-failed' });
      const next = await restarted(services, job);
      await services.jobs.change(job.id, ['failed'], 'cancelled', 'Tried again');
      announce(job);
      return enqueue(next);
    },
    act: async (job, action) => {
      if (job.ended_at !== null) throw new HttpProblem(409, 'This job has already ended.', { type: 'job-ended' });
      return act(job, action);
    },
    shape,
    ended: async (id) => {
      await pumping;
      await liveOf(id)?.ended;
      const row = await services.jobs.byId(id);
      if (!row) throw new Error(`job ${id} is gone`);
      return row;
    },
    idle: async () => running.size === 0 && (await services.jobs.inState('queued', 'running')).length === 0,
    recover: async () => {
      for (const job of await services.jobs.inState('queued', 'running')) {
        if (runsElsewhere(job)) continue;
        if (works[job.kind].resumable) await services.jobs.change(job.id, ['running'], 'queued', job.message);
        else await interrupt(job);
      }
      for (const job of await services.jobs.inState('paused'))
        if (!works[job.kind].resumable && !runsElsewhere(job)) await interrupt(job);
      wake();
    },
    stop: async () => {
      stopping = true;
      await pumping;
      for (const live of running.values()) live.stop('shutdown');
      await Promise.allSettled([...running.values()].map((live) => live.ended));
      for (const { timer } of announced.values()) clearTimeout(timer ?? undefined);
    },
  };

  async function interrupt(job: JobRow): Promise<void> {
    await works[job.kind].discard(services, job);
    await services.jobs.change(
      job.id,
      ['queued', 'running', 'paused'],
      'failed',
      'The service was stopped before this had finished. Start it again.',
    );
  }
}

function queueOf(job: JobRow): string {
  return (parametersOf(job) as { lane?: string }).lane ?? job.kind;
}

function runsElsewhere(job: JobRow): boolean {
  const owner = (parametersOf(job) as { process?: string }).process;
  return owner !== undefined && owner !== thisProcess() && isAlive(owner);
}
