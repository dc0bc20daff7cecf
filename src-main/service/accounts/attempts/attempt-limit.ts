import { putBounded } from '../../common/bounded-map.ts';

// More keys than this at once is an attack from many places; the oldest goes.
const capacity = 10_000;
const maxWaiting = 1000;
const retrySeconds = 5;

interface Count {
  failures: number;
  /** When the failures are forgotten, milliseconds since 1970. */
  until: number;
  running: number;
  readonly waiting: (() => void)[];
}

/** One attempt that may run; `end` is called once, however it ends. */
export interface Attempt {
  end(failed: boolean): void;
}

/**
 * Bounds guesses by counting failures only. An attempt that runs may still fail, so it counts until it has ended: attempts beyond the limit wait for
 * those before them, and are refused if these fail.
 */
export class AttemptLimit {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #counts = new Map<string, Count>();

  /** @param max failures of one key within `windowMs` milliseconds. */
  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** @returns the attempt, or the seconds to wait when there were too many failures, or too many attempts wait. */
  async begin(key: string): Promise<Attempt | number> {
    for (;;) {
      const count = this.#counts.get(key) ?? { failures: 0, until: 0, running: 0, waiting: [] };
      const now = Date.now();
      if (count.failures > 0 && count.until <= now) count.failures = 0;
      if (count.failures >= this.#max) return Math.ceil((count.until - now) / 1000);
      if (count.failures + count.running < this.#max) return this.#run(key, count);
      if (count.waiting.length >= maxWaiting) return retrySeconds;
      await new Promise<void>((resolve) => count.waiting.push(resolve));
    }
  }

  #run(key: string, count: Count): Attempt {
    count.running += 1;
    putBounded(this.#counts, capacity, key, count);
    return {
      end: (failed) => {
        count.running -= 1;
        if (failed) {
          if (count.failures === 0) count.until = Date.now() + this.#windowMs;
          count.failures += 1;
        }
        // All of them where nobody may run any more, so that each is refused.
        const woken = count.waiting.splice(0, count.failures >= this.#max ? count.waiting.length : 1);
        if (count.failures === 0 && count.running === 0 && woken.length === 0) this.#counts.delete(key);
        woken.forEach((wake) => wake());
      },
    };
  }
}

/** A limit and what is counted in it. */
export interface LimitedKey {
  readonly limit: AttemptLimit;
  readonly key: string;
}

/**
 * Begins an attempt that counts in several limits.
 *
 * @param keys in the same order of limits for every attempt, or two attempts could wait for each other.
 * @returns the attempt, or the seconds to wait.
 */
export async function beginAttempt(keys: readonly LimitedKey[]): Promise<Attempt | number> {
  const begun: Attempt[] = [];
  for (const { limit, key } of keys) {
    const next = await limit.begin(key);
    if (typeof next === 'number') {
      begun.forEach((attempt) => attempt.end(false));
      return next;
    }
    begun.push(next);
  }
  return { end: (failed) => begun.forEach((attempt) => attempt.end(failed)) };
}
