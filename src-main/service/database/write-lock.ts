import type Database from 'better-sqlite3';
import { errorCode } from '../common/error-code.ts';

/** How long a statement of the service may hold the event loop while another process writes; its own commands take less. Milliseconds. */
export const busyTimeoutMs = 50;
/** How long a write that a client waits for is retried. Milliseconds. */
export const retryWritesForMs = 5000;
/** How long a write of something that goes on in the background is retried, so that nothing fails because of another program. Milliseconds. */
export const retryBackgroundForMs = 24 * 3600_000;
const lookEveryMs = 50;
// When the service stops, what still waits for the lock fails instead of holding it up.
const stoppingForMs = 1000;

/** Whether SQLite refused because another connection writes (SQLite, "Result and Error Codes", 5 and 6). */
export function isLocked(error: unknown): boolean {
  const code = errorCode(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/**
 * Waits, without holding the event loop, for the end of a write lock that another process has on the database. While it lasts statements fail at once instead
 * of after the busy timeout, because many of them would hold the event loop one after the other.
 */
export class WriteLock {
  readonly #database: Database.Database;
  readonly #timeout: number;
  #ended: Promise<void> | null = null;
  #stopBy = Infinity;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#timeout = database.pragma('busy_timeout', { simple: true }) as number;
  }

  /** Ends waiting soon, for good. */
  stop(): void {
    this.#stopBy = performance.now() + stoppingForMs;
  }

  /** @returns the time of `performance.now()` until when to retry what began at a time. */
  deadline(began: number, forMs: number): number {
    return Math.min(began + forMs, this.#stopBy);
  }

  /** Resolves when the lock has ended, or at a time of `performance.now()`. */
  async ended(by: number): Promise<void> {
    this.#ended ??= this.#watch();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(
      (resolve) => (timer = setTimeout(resolve, Math.min(Math.max(by - performance.now(), 0), stoppingForMs))),
    );
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
  }

  /**
   * Does a refused write again until the lock has ended.
   *
   * @param began when it was first tried, of `performance.now()`.
   * @throws the refusal when the lock lasts longer, and whatever else `work` throws.
   */
  async retryAfter<Result>(
    refusal: unknown,
    work: () => Promise<Result>,
    began: number,
    forMs: number,
  ): Promise<Result> {
    let last = refusal;
    while (isLocked(last) && performance.now() < this.deadline(began, forMs)) {
      await this.ended(this.deadline(began, forMs));
      try {
        return await work();
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  async #watch(): Promise<void> {
    this.#setTimeout(0);
    while (this.#isHeld()) await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    this.#setTimeout(this.#timeout);
    this.#ended = null;
  }

  #isHeld(): boolean {
    if (!this.#database.open) return false;
    try {
      this.#database.exec('BEGIN IMMEDIATE; ROLLBACK');
      return false;
    } catch (error) {
      return isLocked(error);
    }
  }

  #setTimeout(milliseconds: number): void {
    if (this.#database.open) this.#database.pragma(`busy_timeout = ${milliseconds}`);
  }
}

/**
 * A store whose methods are called again while another process holds the write lock. Each of them writes in one transaction, so that one that was refused has
 * written nothing.
 *
 * @param forMs for how many milliseconds.
 * @param exceptions the same for single methods.
 */
export function retryWrites<Store extends object>(
  lock: WriteLock,
  store: Store,
  forMs = retryWritesForMs,
  exceptions: Partial<Record<keyof Store & string, number>> = {},
): Store {
  const ofMethod: Readonly<Record<string, number | undefined>> = exceptions;
  const members = Object.entries(store).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const call = (...values: unknown[]): unknown => {
      const began = performance.now();
      const result: unknown = Reflect.apply(member, store, values);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) =>
        lock.retryAfter(
          error,
          async () => Reflect.apply(member, store, values) as Promise<unknown>,
          began,
          ofMethod[name] ?? forMs,
        ),
      );
    };
    return [name, call];
  });
  return Object.fromEntries(members) as Store;
}
