import type Database from 'better-sqlite3';
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { isLocked, retryWritesForMs, WriteLock } from './write-lock.ts';

/** Work that jobs of one kind defer to the end of their transaction (see Gathered of the port). */
export interface Deferred<State> {
  begin(): State;
  end(state: State): void;
}

interface PendingJob {
  /** Of `performance.now()`. */
  readonly since: number;
  readonly gathered: Deferred<unknown> | null;
  readonly weight: number;
  /** Runs the job; its result is kept until the commit. */
  readonly run: (state: unknown) => void;
  /** Keeps the error of the job until the commit. */
  readonly fail: (error: Error) => void;
  /** Settles the job's promise with its result or error, or with the failure of the commit itself. */
  readonly settle: (failure: Error | null) => void;
}

type RunJob = (job: PendingJob, state: unknown) => void;
type ToDisk = () => Promise<void>;

const syncFile = promisify(fdatasync);

// Longer transactions would block the event loop: a row or two of each job cost about 20
// microseconds.
const maxBatch = 250;

/**
 * Groups the writes of one turn of the event loop into one transaction: a commit that waits for the
 * disk costs the same for one as for hundreds. Promises settle after the commit is on disk. When a
 * job throws, the group runs again with a savepoint for each job, so that it rolls back no other:
 * savepoints for all would copy every page that a job is the first to change. The wait for the disk
 * is on a thread of the pool, and does not block the event loop: the commit itself runs with
 * `synchronous=NORMAL`, which writes the log without waiting for it (SQLite, "PRAGMA synchronous"),
 * and then the log is synced as `synchronous=FULL` would have done.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  /** Nested in the group's transaction, this is a savepoint. */
  readonly #separately: (work: () => void) => void;
  readonly #together: Database.Transaction<(group: readonly PendingJob[], runOne: RunJob) => void>;
  /** Whether commits must be synced by syncing the log; null until the first one. */
  #syncsLog: boolean | null = null;
  readonly #toDisk: ToDisk;
  readonly #lock: WriteLock;
  #waiting: PendingJob[] = [];
  /** True from when a commit is scheduled until it is on disk. */
  #busy = false;

  /** @param toDisk replaced in tests. */
  constructor(database: Database.Database, lock = new WriteLock(database), toDisk: ToDisk = logToDisk(database)) {
    this.#database = database;
    this.#lock = lock;
    this.#toDisk = toDisk;
    this.#separately = database.transaction((work: () => void) => work());
    this.#together = database.transaction(runAll);
  }

  /**
   * Runs `work` later in this process, synchronously within the transaction; again if the transaction
   * has to be repeated.
   *
   * @param gathered the work that `work` defers to the end of the transaction; changing its state
   * must be the last step of `work`.
   * @param weight duration of the work, in units of a row or two; a transaction has a maximum total
   * weight.
   * @returns the result of `work`, after it is on disk.
   */
  async run<Result>(work: () => Result, gathered?: null, weight?: number): Promise<Result>;
  async run<Result, State>(work: (state: State) => Result, gathered: Deferred<State>, weight?: number): Promise<Result>;
  async run<Result, State>(
    work: (state: State) => Result,
    gathered: Deferred<State> | null = null,
    weight = 1,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      let finish: () => void = () => reject(new Error('the work did not run'));
      this.#waiting.push({
        since: performance.now(),
        gathered,
        weight,
        run: (state) => {
          const result = work(state as State);
          finish = () => resolve(result);
        },
        fail: (error) => {
          finish = () => reject(error);
        },
        settle: (failure) => (failure === null ? finish() : reject(failure)),
      });
      this.#schedule();
    });
  }

  readonly #runSeparately: RunJob = (job, state) => {
    try {
      this.#separately(() => job.run(state));
    } catch (error) {
      // A full disk may roll back the whole transaction (SQLite, "Response To Errors Within A
      // Transaction"), including the jobs before this one.
      if (!this.#database.inTransaction) throw error;
      job.fail(asError(error));
    }
  };

  #schedule(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    this.#busy = true;
    setImmediate(() => void this.#commit());
  }

  async #commit(): Promise<void> {
    const size = fitting(this.#waiting);
    const group = this.#waiting.slice(0, size);
    this.#waiting = this.#waiting.slice(size);
    let failure: Error | null = null;
    try {
      await this.#write(group);
    } catch (error) {
      if (isLocked(error)) return this.#waitForLock(group, asError(error));
      failure = asError(error);
    }
    this.#busy = false;
    this.#schedule();
    for (const one of group) one.settle(failure);
    return undefined;
  }

  /**
   * Another process is writing: no job of the group ran, and the group is first when the lock is
   * released. Jobs that have waited too long fail.
   */
  async #waitForLock(group: readonly PendingJob[], failure: Error): Promise<void> {
    this.#waiting = [...group, ...this.#waiting];
    await this.#lock.ended(this.#lock.deadline(group[0]?.since ?? 0, retryWritesForMs));
    const now = performance.now();
    const late = this.#waiting.filter(({ since }) => this.#lock.deadline(since, retryWritesForMs) <= now);
    this.#waiting = this.#waiting.filter((one) => !late.includes(one));
    this.#busy = false;
    this.#schedule();
    for (const one of late) one.settle(failure);
  }

  #write(group: readonly PendingJob[]): Promise<void> | null {
    const database = this.#database;
    // IMMEDIATE: the lock is taken at the start, where waiting for it (busy timeout) is possible
    // (SQLite, "Transactions", section 2.2).
    const write = () => {
      try {
        this.#together.immediate(group, runDirectly);
      } catch (error) {
        if (isLocked(error)) throw error;
        this.#together.immediate(group, this.#runSeparately);
      }
    };
    this.#syncsLog ??= syncsLog(database);
    if (!this.#syncsLog) {
      write();
      return null;
    }
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      write();
    } finally {
      database.exec('PRAGMA synchronous = FULL');
    }
    return this.#toDisk();
  }
}

/** Asked once: it takes longer than writing an event, and nobody changes it while the service runs. */
function syncsLog(database: Database.Database): boolean {
  const full = 2;
  const synchronous = database.pragma('synchronous', { simple: true });
  return synchronous === full && database.pragma('journal_mode', { simple: true }) === 'wal';
}

function runDirectly(job: PendingJob, state: unknown): void {
  job.run(state);
}

/**
 * Syncs the write-ahead log. Closing its file drops no locks of SQLite, which are on other files.
 */
function logToDisk(database: Database.Database): ToDisk {
  return async () => {
    // Opened for writing, because Windows requires it for a sync.
    const log = openSync(`${database.name}-wal`, 'r+');
    try {
      await syncFile(log);
    } finally {
      closeSync(log);
    }
  };
}

/** The number of leading jobs that fit into one transaction. */
function fitting(waiting: readonly PendingJob[]): number {
  let weight = 0;
  const beyond = waiting.findIndex((one) => {
    weight += one.weight;
    return weight > maxBatch;
  });
  return beyond < 0 ? waiting.length : Math.max(1, beyond);
}

function runAll(group: readonly PendingJob[], runOne: RunJob): void {
  let open: { readonly gathered: Deferred<unknown>; readonly state: unknown } | null = null;
  for (const one of group) {
    if (open !== null && open.gathered !== one.gathered) {
      open.gathered.end(open.state);
      open = null;
    }
    if (one.gathered !== null) open ??= { gathered: one.gathered, state: one.gathered.begin() };
    runOne(one, open?.state);
  }
  open?.gathered.end(open.state);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('the transaction failed', { cause: thrown });
}
