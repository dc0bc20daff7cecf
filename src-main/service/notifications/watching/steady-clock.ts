import { uptime } from 'node:os';
import type { RetentionClock } from '../../database/retention-clock.ts';

const toleranceMs = 10 * 60_000;
/** A time that has held for so long is taken for the right one. */
const settlesAfterMs = 24 * 3_600_000;

/**
 * The time for what is told before or after a time: null while the clock has just jumped, so that a
 * wrong time does not have everything told that would be due then.
 */
export class SteadyClock {
  readonly #retention: Pick<RetentionClock, 'now' | 'daysAhead'>;
  readonly #wallMs: () => number;
  readonly #uptimeMs: () => number;
  /** The lead of the clock over the uptime when both agreed last. */
  #lead: number | null = null;
  #jumpedAt: number | null = null;

  /** @param uptimeMs milliseconds that a change of the clock does not change, including sleep. */
  constructor(
    retention: Pick<RetentionClock, 'now' | 'daysAhead'>,
    wallMs: () => number = Date.now,
    uptimeMs: () => number = () => uptime() * 1000,
  ) {
    [this.#retention, this.#wallMs, this.#uptimeMs] = [retention, wallMs, uptimeMs];
  }

  /** @returns milliseconds since 1970, or null. */
  async now(): Promise<number | null> {
    await this.#retention.now();
    const [wall, up] = [this.#wallMs(), this.#uptimeMs()];
    const lead = wall - up;
    this.#lead ??= lead;
    if (Math.abs(lead - this.#lead) <= toleranceMs) {
      // Slow drift is followed.
      this.#lead = lead;
      this.#jumpedAt = null;
      return this.#retention.daysAhead > 0 ? null : wall;
    }
    this.#jumpedAt ??= up;
    if (up - this.#jumpedAt >= settlesAfterMs) this.#lead = lead;
    return null;
  }
}
