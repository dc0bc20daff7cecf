import type { JobKind } from '../contract/jobs.ts';
import type { JobProgress, JobRow, NewJob } from './jobs-store.ts';

/** Interface of running work to its job. */
export interface WorkContext {
  readonly job: JobRow;
  /** Aborted with a {@link JobStopped} as its reason. */
  readonly signal: AbortSignal;
  /** Updates the progress; it is shown and stored periodically. */
  report(progress: Partial<JobProgress>): void;
  /** Stores parameters that the work needs after a restart; they are on disk when this resolves. */
  remember(parameters: Readonly<Record<string, unknown>>): Promise<void>;
  /** Waits while the job is paused, for work that cannot be resumed later. */
  gate(): Promise<void>;
}

export interface WorkResult {
  readonly message: string | null;
  readonly result: string | null;
}

/** Implementation of a kind of job; `Deps` are the services that it uses. */
export interface Work<Deps> {
  run(services: Deps, context: WorkContext): Promise<WorkResult>;
  /** Removes leftovers of a failed or cancelled job. */
  discard(services: Deps, job: JobRow): Promise<void>;
  /**
   * Creates the input of a new job from a failed one; null for kinds that are retried where they
   * were started. @throws HttpProblem with the reason why it cannot be retried.
   */
  readonly restarted: ((services: Deps, job: JobRow) => Promise<NewJob>) | null;
  /** Whether it ends and resumes after a pause or restart; otherwise it waits while paused. */
  readonly resumable: boolean;
}

export type Works<Deps> = Readonly<Record<JobKind, Work<Deps>>>;

/** `lost`: the replica was taken for dead, and another one may work on the job. */
export type WhyStopped = 'cancel' | 'pause' | 'shutdown' | 'lost';

/** The work was told to stop. */
export class JobStopped extends Error {
  readonly why: WhyStopped;

  constructor(why: WhyStopped) {
    super(`stopped: ${why}`);
    this.why = why;
  }
}

/** `changed`: the source was not complete yet; `refused-names`: it has what cannot be registered. */
export type JobFailure = 'changed' | 'refused-names';

/** The work failed; the message says why and what to do. */
export class JobFailed extends Error {
  /** The `result` of the job, for whoever made it. */
  readonly code: JobFailure | null;

  constructor(message: string, { code, ...options }: ErrorOptions & { readonly code?: JobFailure } = {}) {
    super(message, options);
    this.code = code ?? null;
  }
}

/** The work cannot continue now; the message says what to do first. */
export class JobMustPause extends Error {}

/** The work needs more space on the disk of the data; it resumes automatically. */
export class JobNeedsDiskSpace extends JobMustPause {
  /** Bytes still to be written, as far as known. */
  readonly bytes: number;

  constructor(message: string, bytes: number) {
    super(message);
    this.bytes = bytes;
  }
}

/** The stored parameters, unvalidated: each kind of job checks its own. */
export function parametersOf(job: JobRow): unknown {
  return JSON.parse(job.parameters);
}
