import type { JobKind } from '../contract/jobs.ts';
import type { JobProgress, JobRow, NewJob } from './jobs-store.ts';

/** What a piece of work has to do with its job. */
export interface WorkContext {
  readonly job: JobRow;
  /** Aborted with a {@link JobStopped} as its reason. */
  readonly signal: AbortSignal;
  /** Progress as it is now; shown and stored from time to time. */
  report(progress: Partial<JobProgress>): void;
  /** What the work must know again after a restart; on disk when this resolves. */
  remember(parameters: Readonly<Record<string, unknown>>): Promise<void>;
  /** Waits while the job is paused, for work that cannot be taken up again later. */
  gate(): Promise<void>;
}

export interface WorkResult {
  readonly message: string | null;
  readonly result: string | null;
}

/** A kind of job; `Deps` is what of the services it works with. */
export interface Work<Deps> {
  run(services: Deps, context: WorkContext): Promise<WorkResult>;
  /** Removes what a failed or cancelled job leaves behind. */
  discard(services: Deps, job: JobRow): Promise<void>;
  /** The same once more, as a new job that is still to be queued; null for what is started anew where it was started. @throws HttpProblem why it cannot be. */
  readonly restarted: ((services: Deps, job: JobRow) => Promise<NewJob>) | null;
  /** Whether it goes on where it was after a pause or a restart, or waits in place while it is paused. */
  readonly resumable: boolean;
}

export type Works<Deps> = Readonly<Record<JobKind, Work<Deps>>>;

/** The work was told to stop, and why. */
export class JobStopped extends Error {
  readonly why: 'cancel' | 'pause' | 'shutdown';

  constructor(why: 'cancel' | 'pause' | 'shutdown') {
    super(`stopped: ${why}`);
    this.why = why;
  }
}

/** The work cannot be done; the message says why and what to do. */
export class JobFailed extends Error {}

/** The work cannot go on now, but can later; the message says what to do first. */
export class JobMustPause extends Error {}

/** The work cannot go on before there is more room on the disk of the data; it then goes on by itself. */
export class JobNeedsDiskSpace extends JobMustPause {
  /** Bytes that it still writes, as far as that is known. */
  readonly bytes: number;

  constructor(message: string, bytes: number) {
    super(message);
    this.bytes = bytes;
  }
}

/** What was asked for and remembered; whoever made the job says what it is. */
export function parametersOf(job: JobRow): unknown {
  return JSON.parse(job.parameters);
}
