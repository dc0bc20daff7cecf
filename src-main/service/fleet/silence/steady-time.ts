/** One reading of both clocks of a machine. */
export interface Moment {
  /** Milliseconds since 1970, by a clock that may be set. */
  readonly wallMs: number;
  /** Milliseconds since the machine started. */
  readonly uptimeMs: number;
}

/** How much of a difference is taken up in the time that passes: an hour a day. */
const takenUp = 1 / 24;

/**
 * A time of the day that nobody sets: it goes on with the uptime and approaches the clock slowly, so
 * that habits of the day stay right when the clock jumps for an hour.
 */
export class SteadyTime {
  #now: number;
  #uptimeMs: number;

  constructor({ wallMs, uptimeMs }: Moment) {
    [this.#now, this.#uptimeMs] = [wallMs, uptimeMs];
  }

  get now(): number {
    return this.#now;
  }

  /** @returns the milliseconds that have passed since the last reading. */
  advance({ wallMs, uptimeMs }: Moment): number {
    const elapsed = Math.max(0, uptimeMs - this.#uptimeMs);
    const expected = this.#now + elapsed;
    const most = elapsed * takenUp;
    this.#now = expected + Math.min(most, Math.max(-most, wallMs - expected));
    this.#uptimeMs = uptimeMs;
    return elapsed;
  }
}
