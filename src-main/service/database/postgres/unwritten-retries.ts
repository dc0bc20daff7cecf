import { setTimeout } from 'node:timers/promises';
import { repeatAfter, retryWrites, retryBackgroundForMs, type WriteRetries } from '../sqlite/write-lock.ts';
import { isLockTimeout, isUnreachable, isUnwritten } from './failures.ts';

const pauseMs = 100;
/** A request does not wait longer for a primary to come back. */
const requestForMs = 5000;
const stoppingForMs = 1000;

function mayRetry(error: unknown): boolean {
  return (isUnwritten(error) && isUnreachable(error)) || isLockTimeout(error);
}

/**
 * Repeats writes of which it is certain that nothing was written, such as those during a change of
 * the primary, or behind a lock. What failed at its commit is never repeated: it may have been written.
 */
export class UnwrittenRetries implements WriteRetries {
  #stopBy = Infinity;

  stop(): void {
    this.#stopBy = performance.now() + stoppingForMs;
  }

  async retryAfter<Result>(
    refusal: unknown,
    work: () => Promise<Result>,
    began: number,
    forMs: number,
  ): Promise<Result> {
    // A process that stood still has used up its time without an attempt.
    const until = Math.max(began + forMs, performance.now() + 2 * pauseMs);
    return repeatAfter(refusal, work, async (last) => {
      if (!mayRetry(last) || performance.now() >= Math.min(until, this.#stopBy)) return false;
      await setTimeout(pauseMs);
      return true;
    });
  }

  retried<Store extends object>(store: Store): Store {
    return retryWrites(this, store, requestForMs);
  }

  background<Store extends object>(store: Store): Store {
    return retryWrites(this, store, retryBackgroundForMs);
  }
}
