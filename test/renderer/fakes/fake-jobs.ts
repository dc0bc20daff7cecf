import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { answer, refused, type FakeAnswer } from './fake-answer.ts';

export interface FakeJobs {
  /** A running job, midway unless changed. */
  readonly add: (job: Partial<Job> & Pick<Job, 'kind' | 'measurement_id'>) => Job;
  readonly put: (job: Job) => void;
  /**
   * Answers the list, or an action. @param state of the list; @param action on the job with this
   * id.
   */
  answer(id: string, state: string | null, action: string | undefined): FakeAnswer;
}

/** A running registration, a minute after its start, with the given fields changed. */
export function jobOf(id: number, more: Partial<Job>): Job {
  return {
    id,
    kind: 'register',
    measurement_id: 'qmr-2026-114',
    state: 'running',
    files_done: 412,
    files_total: 1204,
    bytes_done: 13_000_000_000,
    bytes_total: 41_017_344_000,
    bytes_per_second: 327_155_712,
    message: null,
    result: null,
    created_at: new Date(Date.now() - 60_000).toISOString(),
    ended_at: null,
    ...more,
  };
}

/** Jobs that change only on command. `changed` is called for each change. */
export function fakeJobs(changed: (job: Job) => void): FakeJobs {
  const jobs = new Map<number, Job>();
  let last = 0;
  const put = (job: Job): void => void jobs.set(job.id, job);
  const tell = (job: Job): Job => {
    put(job);
    changed(job);
    return job;
  };
  return {
    put,
    add: (job) => {
      last += 1;
      return tell(jobOf(last, { created_at: new Date().toISOString(), ...job }));
    },
    answer: (id, wanted, action) => {
      if (id === '')
        return answer(
          200,
          [...jobs.values()].filter((job) => (job.ended_at === null) === (wanted === 'active')),
        );
      const job = jobs.get(Number(id));
      if (job === undefined) return refused(404, 'Not found', 'There is no such job.');
      if (action === 'retry') {
        jobs.delete(job.id);
        return answer(
          200,
          tell({ ...job, id: Math.max(job.id, ...jobs.keys()) + 1, state: 'running', message: null, ended_at: null }),
        );
      }
      const state = action === 'pause' ? 'paused' : action === 'resume' ? 'running' : 'cancelled';
      return answer(200, tell({ ...job, state, ended_at: state === 'cancelled' ? new Date().toISOString() : null }));
    },
  };
}
