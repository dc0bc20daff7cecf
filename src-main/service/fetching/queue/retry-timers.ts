interface RetryTimer {
  /** Monotonic time. */
  readonly due: number;
  /** Milliseconds since 1970. */
  readonly retryAt: number;
  /** Whether the server set Retry-After. */
  readonly byServer: boolean;
}

// The longest ordinary pause (`back-off.ts`). The stored time is wall time, and the clock may have
// been set since, so a longer wait would be a guess; a server that needs more sends Retry-After
// again.
const maxRestoredMs = 10 * 60_000;

/** When waiting fetches are retried, by a monotonic clock. */
export class RetryTimers {
  readonly #timers = new Map<number, RetryTimer>();

  set(id: number, steady: number, now: number, wait: number, byServer: boolean): void {
    this.#timers.set(id, { due: steady + wait, retryAt: now + wait, byServer });
  }

  /** Restores the timer of a fetch that waited when the service stopped. */
  restore(id: number, steady: number, now: number, retryAt: number | null): void {
    this.set(id, steady, now, Math.min(maxRestoredMs, Math.max(0, (retryAt ?? now) - now)), false);
  }

  dueAt(id: number): number | undefined {
    return this.#timers.get(id)?.due;
  }

  isDue(steady: number): boolean {
    return this.due(steady).length > 0;
  }

  /** Returns the fetches that are due. */
  due(steady: number): readonly number[] {
    return [...this.#timers].filter(([, { due }]) => due <= steady).map(([id]) => id);
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) this.#timers.delete(id);
  }

  /** After a sleep or a clock change: retry at once, except where the server set Retry-After. */
  onWake(steady: number, now: number): void {
    for (const [id, wait] of this.#timers) {
      const due = wait.byServer ? Math.min(wait.due, steady + Math.max(0, wait.retryAt - now)) : steady;
      this.#timers.set(id, { ...wait, due });
    }
  }
}
