interface RetryTimer {
  /** Of the clock that never jumps. */
  readonly due: number;
  /** Milliseconds since 1970. */
  readonly retryAt: number;
  /** Whether the server has asked for it. */
  readonly byServer: boolean;
}

// The longest ordinary pause (`back-off.ts`). The stored time is of a clock that may have been set since, and nothing tells by how much, so that a longer wait
// would be a guess; a server that has asked for more says so once again.
const maxRestoredMs = 10 * 60_000;

/** When fetches that wait are tried again, by a clock that does not jump. */
export class RetryTimers {
  readonly #timers = new Map<number, RetryTimer>();

  set(id: number, steady: number, now: number, wait: number, byServer: boolean): void {
    this.#timers.set(id, { due: steady + wait, retryAt: now + wait, byServer });
  }

  /** For one that was waiting when the service ended. */
  restore(id: number, steady: number, now: number, retryAt: number | null): void {
    this.set(id, steady, now, Math.min(maxRestoredMs, Math.max(0, (retryAt ?? now) - now)), false);
  }

  dueAt(id: number): number | undefined {
    return this.#timers.get(id)?.due;
  }

  isDue(steady: number): boolean {
    return [...this.#timers.values()].some(({ due }) => due <= steady);
  }

  /** Those whose time has come; they do not wait any more. */
  takeDue(steady: number): readonly number[] {
    const ids = [...this.#timers].filter(([, { due }]) => due <= steady).map(([id]) => id);
    for (const id of ids) this.#timers.delete(id);
    return ids;
  }

  /** The machine has slept, or its clock was set: the network may be another one, and only what servers have asked for still counts. */
  onWake(steady: number, now: number): void {
    for (const [id, wait] of this.#timers) {
      const due = wait.byServer ? Math.min(wait.due, steady + Math.max(0, wait.retryAt - now)) : steady;
      this.#timers.set(id, { ...wait, due });
    }
  }
}
