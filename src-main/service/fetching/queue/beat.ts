import type { Clock } from './clock.ts';

const fast = 250;
const slow = 1000;
// Between two beats lies a second; when much more has passed, the machine has slept or its clock was put forward.
const sleptAfter = 30_000;

export interface BeatWork {
  /** Every quarter of a second while something runs. */
  quick(): void;
  /** Once a second. */
  second(): void;
  /** Before `second`, when the machine has slept or its clock was put forward. */
  woken(): void;
}

/** The pulse of the queue; it stands still while there is nothing to look after. */
export class Beat {
  readonly #clock: Clock;
  readonly #work: BeatWork;
  #every: number | null = null;
  #cancel: (() => void) | null = null;
  #steady = 0;
  #now = 0;
  #secondAt = 0;

  constructor(clock: Clock, work: BeatWork) {
    this.#clock = clock;
    this.#work = work;
  }

  set(pace: 'fast' | 'slow' | 'still'): void {
    const every = pace === 'still' ? null : pace === 'fast' ? fast : slow;
    if (every === this.#every) return;
    if (this.#every === null) [this.#steady, this.#now, this.#secondAt] = [this.#clock.steady(), this.#clock.now(), this.#clock.steady()];
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
    const slept = Math.max(now - this.#now, steady - this.#steady) > sleptAfter;
    [this.#steady, this.#now] = [steady, now];
    // First, because the work may change the pace.
    this.#next();
    if (slept) this.#work.woken();
    this.#work.quick();
    if (!slept && steady - this.#secondAt < slow) return;
    this.#secondAt = steady;
    this.#work.second();
  }
}
