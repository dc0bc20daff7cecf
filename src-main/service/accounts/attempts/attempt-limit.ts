import { singleProcess, type Cluster } from '../../database/cluster/cluster.ts';
import { shareOfLimit } from '../../database/cluster/share-of-limit.ts';
import { putBounded } from '../../common/bounded-map.ts';

// More keys at once indicate a distributed attack; the oldest entries are evicted.
const capacity = 10_000;
const maxWaiting = 1000;
const retrySeconds = 5;

interface Count {
  failures: number;
  /** When the failures expire, in milliseconds since 1970. */
  until: number;
  running: number;
  readonly waiting: (() => void)[];
}

/** A running attempt; `end` must be called exactly once. */
export interface Attempt {
  end(failed: boolean): void;
}

/**
 * Limits guesses by counting failures only. A running attempt counts until it has ended, because it
 * may still fail: attempts above the limit wait for the running ones, and are refused if these
 * fail.
 */
export class AttemptLimit {
  readonly #max: () => number;
  readonly #windowMs: number;
  readonly #counts = new Map<string, Count>();

  /**
   * @param max failures allowed for one key within `windowMs` milliseconds.
   * @param cluster each of its replicas allows a part of them.
   */
  constructor(max: number, windowMs: number, cluster: Pick<Cluster, 'live'> = singleProcess) {
    this.#max = () => shareOfLimit(max, cluster);
    this.#windowMs = windowMs;
  }

  /**
   * @returns the attempt, or the seconds to wait after too many failures or with too many waiting
   * attempts.
   */
  async begin(key: string): Promise<Attempt | number> {
    for (;;) {
      const count = this.#countOf(key);
      const begun = this.#tryBegin(key, count);
      if (begun !== null) return begun;
      if (count.waiting.length >= maxWaiting) return retrySeconds;
      await new Promise<void>((resolve) => count.waiting.push(resolve));
    }
  }

  /** Begins like `begin`, but returns null where the attempt would have to wait for running ones. */
  tryBegin(key: string): Attempt | number | null {
    return this.#tryBegin(key, this.#countOf(key));
  }

  #countOf(key: string): Count {
    return this.#counts.get(key) ?? { failures: 0, until: 0, running: 0, waiting: [] };
  }

  #tryBegin(key: string, count: Count): Attempt | number | null {
    if (count.failures > 0) {
      const now = Date.now();
      if (count.until <= now) count.failures = 0;
      else if (count.failures >= this.#max()) return Math.ceil((count.until - now) / 1000);
    }
    return count.failures + count.running < this.#max() ? this.#run(key, count) : null;
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
        if (count.waiting.length === 0) {
          if (count.failures === 0 && count.running === 0) this.#counts.delete(key);
          return;
        }
        // Wakes all of them once the limit is reached, so that each is refused.
        const woken = count.waiting.splice(0, count.failures >= this.#max() ? count.waiting.length : 1);
        woken.forEach((wake) => wake());
      },
    };
  }
}

/** A limit and the key that is counted in it. */
export interface LimitedKey {
  readonly limit: AttemptLimit;
  readonly key: string;
}

/**
 * Starts an attempt that counts in several limits.
 *
 * @param keys must name the limits in one fixed order, or two attempts could deadlock.
 * @returns the attempt, or the seconds to wait.
 */
export async function beginAttempt(keys: readonly LimitedKey[]): Promise<Attempt | number> {
  const begun: Attempt[] = [];
  for (const { limit, key } of keys) {
    // Almost every attempt begins at once, and a promise for each costs as much as counting it.
    const next = limit.tryBegin(key) ?? (await limit.begin(key));
    if (typeof next === 'number') {
      begun.forEach((attempt) => attempt.end(false));
      return next;
    }
    begun.push(next);
  }
  return { end: (failed) => begun.forEach((attempt) => attempt.end(failed)) };
}
