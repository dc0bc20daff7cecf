const hour = 3600_000;

/**
 * Counts uses per user within an hour, by the monotonic clock, so that changes of the system time
 * have no effect.
 */
export class HourlyBudget {
  readonly #used = new Map<number, number>();
  #since = performance.now();

  add(userId: number): void {
    this.#renew();
    this.#used.set(userId, (this.#used.get(userId) ?? 0) + 1);
  }

  used(userId: number): number {
    this.#renew();
    return this.#used.get(userId) ?? 0;
  }

  #renew(): void {
    const now = performance.now();
    if (now - this.#since < hour) return;
    this.#since = now;
    this.#used.clear();
  }
}
