import type { Clock } from './clock.ts';

const fastMs = 250;
const slowMs = 1000;
// Ticks are at most a second apart; a much larger gap means sleep or a clock change.
const sleepThresholdMs = 30_000;

export interface TickHandlers {
  /** Every quarter of a second while fetches run. */
  onQuickTick(): void;
  /** Once a second. */
  onSecondTick(): void;
  /** After a sleep or a clock change, before the other handlers. */
  onWake(): void;
}

/** The timer of the queue, stopped while nothing runs or waits. */
export class Ticker {
  readonly #clock: Clock;
  readonly #work: TickHandlers;
  #every: number | null = null;
  #cancel: (() => void) | null = null;
  #steady = 0;
  #now = 0;
  #secondAt = 0;

  constructor(clock: Clock, work: TickHandlers) {
    this.#clock = clock;
    this.#work = work;
  }

  set(rate: 'fast' | 'slow' | 'still'): void {
    const every = rate === 'still' ? null : rate === 'fast' ? fastMs : slowMs;
    if (every === this.#every) return;
    if (this.#every === null)
      [this.#steady, this.#now, this.#secondAt] = [this.#clock.steady(), this.#clock.now(), this.#clock.steady()];
    this.#every = every;
    this.#cancel?.();
    this.#cancel = null;
    this.#next();
  }

  #next(): void {
    if (this.#every !== null) this.#cancel = this.#clock.after(this.#every, () => this.#tick());
  }

  #tick(): void {
    const [steady, now] = [this.#clock.steady(), this.#clock.now()];
    const slept = Math.max(now - this.#now, steady - this.#steady) > sleepThresholdMs;
    [this.#steady, this.#now] = [steady, now];
    // Before the handlers, because they may change the interval.
    this.#next();
    if (slept) this.#work.onWake();
    this.#work.onQuickTick();
    if (!slept && steady - this.#secondAt < slowMs) return;
    this.#secondAt = steady;
    this.#work.onSecondTick();
  }
}
