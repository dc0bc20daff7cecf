import { putWithin } from '../put-within.ts';

// More keys than this at once is an attack from many places; the oldest goes.
const capacity = 10_000;

interface Count {
  failures: number;
  readonly until: number;
}

/** Counts failures only: a client that does well is never slowed down, one that guesses is. */
export interface FailureLimit {
  /** @returns the seconds to wait; 0 when the key may try. */
  secondsToWait(key: string): number;
  note(key: string): void;
}

/** At most `most` failures of a key in `window` milliseconds. */
export function failureLimit(most: number, window: number): FailureLimit {
  const counts = new Map<string, Count>();
  function current(key: string, now: number): Count | null {
    const count = counts.get(key);
    if (!count || count.until > now) return count ?? null;
    counts.delete(key);
    return null;
  }
  return {
    secondsToWait: (key) => {
      const now = Date.now();
      const count = current(key, now);
      return count && count.failures >= most ? Math.ceil((count.until - now) / 1000) : 0;
    },
    note: (key) => {
      const now = Date.now();
      const count = current(key, now);
      if (count) {
        count.failures += 1;
        return;
      }
      putWithin(counts, capacity, key, { failures: 1, until: now + window });
    },
  };
}
