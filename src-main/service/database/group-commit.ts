import type Database from 'better-sqlite3';
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { isLocked, retryWritesForMs, WriteLock } from './write-lock.ts';

/** Something that works of one kind leave to the end of their transaction, such as counts of many rows. */
export interface Gathered<State> {
  begin(): State;
  /** Writes it; before any work of another kind, which sees what those before it have done. */
  end(state: State): void;
}

interface PendingJob {
  /** Of `performance.now()`. */
  readonly since: number;
  readonly gathered: Gathered<unknown> | null;
  readonly weight: number;
  /** Runs the work; what it gives or throws is kept until the commit. */
  readonly run: (state: unknown) => void;
  /** Hands over what was kept, or the failure of the commit itself. */
  readonly settle: (failure: Error | null) => void;
}

type ToDisk = () => Promise<void>;

const syncFile = promisify(fdatasync);

// Longer transactions would hold the event loop: a row or two of each job cost about 20 microseconds.
const maxBatch = 250;

/**
 * Puts the writes that one turn of the event loop has gathered into one transaction: a commit that waits for the disk costs the same for one
 * as for hundreds. Each answer comes after the commit is on disk; each work has a savepoint of its own, so one that throws takes nothing along.
 *
 * The disk is waited for on a thread of the pool, and everything else goes on meanwhile: the commit itself is one of `synchronous=NORMAL`, which writes the
 * log without waiting for it (SQLite, "PRAGMA synchronous"), and then the log is brought to the disk as `synchronous=FULL` would have done.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  /** Within the group's transaction: a savepoint. */
  readonly #separately: (work: () => void) => void;
  readonly #together: Database.Transaction<(group: readonly PendingJob[]) => void>;
  /** Whether a commit waits for the disk by bringing its log there. One statement that is kept: asking by two pragmas cost as much as an event of a group. */
  readonly #waits: Database.Statement<[], 0 | 1>;
  readonly #toDisk: ToDisk;
  readonly #lock: WriteLock;
  #waiting: PendingJob[] = [];
  /** From when a commit is due until it is on disk. */
  #busy = false;

  /** @param toDisk for tests. */
  constructor(database: Database.Database, lock = new WriteLock(database), toDisk: ToDisk = logToDisk(database)) {
    this.#database = database;
    this.#lock = lock;
    this.#toDisk = toDisk;
    this.#separately = database.transaction((work: () => void) => work());
    this.#together = database.transaction(runAll);
    this.#waits = database
      .prepare<[], 0 | 1>(
        `SELECT (SELECT synchronous FROM pragma_synchronous) = 2 AND (SELECT journal_mode FROM pragma_journal_mode) = 'wal'`,
      )
      .pluck();
  }

  /**
   * @param gathered what `work` leaves to the end of the transaction, by changing the state that it is given as the last that it does.
   * @param weight how long the work takes, in units of a row or two; the works of a transaction have a limit of it together.
   * @returns what `work` returns, after it is on disk. `work` runs later in this process, without anything in between that it could wait for.
   */
  async run<Result>(work: () => Result, gathered?: null, weight?: number): Promise<Result>;
  async run<Result, State>(work: (state: State) => Result, gathered: Gathered<State>, weight?: number): Promise<Result>;
  async run<Result, State>(
    work: (state: State) => Result,
    gathered: Gathered<State> | null = null,
    weight = 1,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      let finish: () => void = () => reject(new Error('the work did not run'));
      this.#waiting.push({
        since: performance.now(),
        gathered,
        weight,
        run: (state) => {
          try {
            this.#separately(() => {
              const result = work(state as State);
              finish = () => resolve(result);
            });
          } catch (error) {
            // A full disk may end the whole transaction (SQLite, "Response To Errors Within A Transaction"): what came before is gone too.
            if (!this.#database.inTransaction) throw error;
            finish = () => reject(asError(error));
          }
        },
        settle: (failure) => (failure === null ? finish() : reject(failure)),
      });
      this.#schedule();
    });
  }

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

  /** Another process writes: nothing of the group ran, and it goes first when the lock has ended. What has waited for too long fails. */
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
    // IMMEDIATE: the lock is taken at once, where waiting for it (busy timeout) is possible (SQLite, "Transactions", section 2.2).
    const write = () => this.#together.immediate(group);
    if (this.#waits.get() !== 1) {
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

/** Brings what is in the log to the disk. The file of the log has no locks that closing it could drop; those are on others. */
function logToDisk(database: Database.Database): ToDisk {
  return async () => {
    // For writing, because Windows wants that.
    const log = openSync(`${database.name}-wal`, 'r+');
    try {
      await syncFile(log);
    } finally {
      closeSync(log);
    }
  };
}

/** How many of the first make a transaction. */
function fitting(waiting: readonly PendingJob[]): number {
  let weight = 0;
  const beyond = waiting.findIndex((one) => {
    weight += one.weight;
    return weight > maxBatch;
  });
  return beyond < 0 ? waiting.length : Math.max(1, beyond);
}

function runAll(group: readonly PendingJob[]): void {
  let open: { readonly gathered: Gathered<unknown>; readonly state: unknown } | null = null;
  for (const one of group) {
    if (open !== null && open.gathered !== one.gathered) {
      open.gathered.end(open.state);
      open = null;
    }
    if (one.gathered !== null) open ??= { gathered: one.gathered, state: one.gathered.begin() };
    one.run(open?.state);
  }
  open?.gathered.end(open.state);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('the transaction failed', { cause: thrown });
}
