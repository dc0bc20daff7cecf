import type Database from 'better-sqlite3';
import { errorCode } from '../../common/error-code.ts';

/**
 * Milliseconds that a statement of the service may block the event loop while another process
 * writes; Benchport's own commands write for a shorter time.
 */
export const busyTimeoutMs = 50;
/** Milliseconds for which a write that a client waits for is retried. */
export const retryWritesForMs = 5000;
/**
 * Milliseconds for which a write of background work is retried, so that no job fails because of
 * another program.
 */
export const retryBackgroundForMs = 24 * 3600_000;
const lookEveryMs = 50;
// While the service stops, writes that still wait for the lock fail after this time instead of
// delaying the end.
const stoppingForMs = 1000;

/**
 * Whether SQLite refused because another connection is writing (SQLite, "Result and Error Codes", 5
 * and 6).
 */
export function isLocked(error: unknown): boolean {
  const code = errorCode(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** Repeats writes that were refused for a while. */
export interface WriteRetries {
  /**
   * Repeats work that was refused because of another process's lock.
   *
   * @param began the time of the first attempt, of `performance.now()`.
   * @throws the refusal when the lock lasts longer, and any other error of `work`.
   */
  retryAfter<Result>(refusal: unknown, work: () => Promise<Result>, began: number, forMs: number): Promise<Result>;
  /** Ends all waiting soon, for good. */
  stop(): void;
}

/**
 * Repeats refused work.
 *
 * @param waited waits after a failure; false when it was the last one.
 * @throws the last failure.
 */
export async function repeatAfter<Result>(
  refusal: unknown,
  work: () => Promise<Result>,
  waited: (last: unknown) => Promise<boolean>,
): Promise<Result> {
  let last = refusal;
  while (await waited(last)) {
    try {
      return await work();
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/**
 * Waits, without blocking the event loop, until another process releases its write lock on the
 * database. Meanwhile statements fail immediately instead of after the busy timeout, because many
 * of them would block the event loop one after the other.
 */
export class WriteLock implements WriteRetries {
  readonly #database: Database.Database;
  readonly #timeout: number;
  #ended: Promise<void> | null = null;
  #stopBy = Infinity;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#timeout = database.pragma('busy_timeout', { simple: true }) as number;
  }

  /** Ends all waiting soon, for good. */
  stop(): void {
    this.#stopBy = performance.now() + stoppingForMs;
  }

  /**
   * @param began the time of the first attempt, of `performance.now()`.
   * @returns until when to retry, of `performance.now()`.
   */
  deadline(began: number, forMs: number): number {
    return Math.min(began + forMs, this.#stopBy);
  }

  /** Resolves when the lock is released, or at a time of `performance.now()`. */
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
   * Retries a refused write until the lock is released.
   *
   * @param began the time of the first attempt, of `performance.now()`.
   * @throws the refusal when the lock lasts longer, and any other error of `work`.
   */
  async retryAfter<Result>(
    refusal: unknown,
    work: () => Promise<Result>,
    began: number,
    forMs: number,
  ): Promise<Result> {
    return repeatAfter(refusal, work, async (last) => {
      if (!isLocked(last) || performance.now() >= this.deadline(began, forMs)) return false;
      await this.ended(this.deadline(began, forMs));
      return true;
    });
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
 * Wraps a store so that its methods are retried while another process holds the write lock. Each
 * method writes in one transaction, so that a refused one has written nothing.
 *
 * @param forMs milliseconds of retrying.
 * @param exceptions milliseconds for single methods.
 */
export function retryWrites<Store extends object>(
  lock: WriteRetries,
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
