import { statesBefore, type Transitions } from './transitions.ts';

export const jobStates = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** Events that are requests of users. */
type JobAction = 'pause' | 'resume' | 'cancel' | 'retry';

/**
 * `pause` and `cancel` reach the row of a running job when its work has stopped. `requeue` is the
 * end of a process whose work resumes, `interrupt` that of one whose work does not.
 */
export type JobEvent = JobAction | 'start' | 'succeed' | 'fail' | 'requeue' | 'interrupt';

/** The next state of a job for each event. */
export const jobTransitions: Transitions<JobState, JobEvent> = {
  queued: {
    start: 'running',
    pause: 'paused',
    resume: 'ignored',
    cancel: 'cancelled',
    retry: 'refused',
    succeed: 'impossible',
    fail: 'impossible',
    requeue: 'ignored',
    interrupt: 'failed',
  },
  running: {
    // Another process was first.
    start: 'ignored',
    pause: 'paused',
    resume: 'ignored',
    cancel: 'cancelled',
    retry: 'refused',
    succeed: 'done',
    fail: 'failed',
    requeue: 'queued',
    interrupt: 'failed',
  },
  paused: {
    start: 'ignored',
    pause: 'ignored',
    resume: 'queued',
    cancel: 'cancelled',
    retry: 'refused',
    succeed: 'impossible',
    fail: 'impossible',
    requeue: 'ignored',
    interrupt: 'failed',
  },
  done: {
    start: 'ignored',
    pause: 'refused',
    resume: 'refused',
    cancel: 'refused',
    retry: 'refused',
    succeed: 'impossible',
    fail: 'impossible',
    requeue: 'impossible',
    interrupt: 'ignored',
  },
  failed: {
    start: 'ignored',
    pause: 'refused',
    resume: 'refused',
    cancel: 'refused',
    // A new job takes its place in the list.
    retry: 'cancelled',
    succeed: 'impossible',
    fail: 'impossible',
    requeue: 'impossible',
    interrupt: 'ignored',
  },
  // A process that runs a job learns a second later that another one cancelled it.
  cancelled: {
    start: 'ignored',
    pause: 'refused',
    resume: 'refused',
    cancel: 'refused',
    retry: 'refused',
    succeed: 'ignored',
    fail: 'ignored',
    requeue: 'ignored',
    interrupt: 'ignored',
  },
};

/** The states of jobs that have not ended. */
export const activeJobStates = statesBefore(jobTransitions, 'cancel');
