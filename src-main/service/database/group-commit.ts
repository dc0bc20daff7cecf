import type Database from 'better-sqlite3';

interface Waiting {
  /** Runs the work; what it gives or throws is kept until the commit. */
  readonly run: () => void;
  /** Hands over what was kept, or the failure of the commit itself. */
  readonly settle: (failure: Error | null) => void;
}

// Longer transactions would hold the event loop: a row or two of each job cost about 20 microseconds.
const mostAtOnce = 250;

/**
 * Puts the writes that one turn of the event loop has gathered into one transaction: a commit that waits for the disk costs the same for one
 * as for hundreds. Each answer comes after the commit, so what was answered is on disk; each work has a savepoint of its own, so one that
 * throws takes nothing along.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  /** Within the group's transaction: a savepoint. */
  readonly #separately: (work: () => void) => void;
  #waiting: Waiting[] = [];
  #scheduled = false;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#separately = database.transaction((work: () => void) => work());
  }

  /** @returns what `work` returns, after it is on disk. `work` runs later in this process, without anything in between that it could wait for. */
  async run<Result>(work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      let finish: () => void = () => reject(new Error('the work did not run'));
      this.#waiting.push({
        run: () => {
          try {
            this.#separately(() => {
              const result = work();
              finish = () => resolve(result);
            });
          } catch (error) {
            finish = () => reject(asError(error));
          }
        },
        settle: (failure) => (failure === null ? finish() : reject(failure)),
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    const group = this.#waiting.slice(0, mostAtOnce);
    this.#waiting = this.#waiting.slice(mostAtOnce);
    this.#scheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
    let failure: Error | null = null;
    try {
      // IMMEDIATE: the lock is taken at once, where waiting for it (busy timeout) is possible (SQLite, "Transactions", section 2.2).
      this.#database.transaction(() => group.forEach((one) => one.run())).immediate();
    } catch (error) {
      failure = asError(error);
    }
    for (const one of group) one.settle(failure);
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('the transaction failed', { cause: thrown });
}
