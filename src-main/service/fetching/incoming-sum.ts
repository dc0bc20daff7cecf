import type { IncomingEvent } from '../contract/events.ts';
import type { LiveFetch } from './live-fetch.ts';

/** What comes in all, told while something runs; that nothing comes any more is told once. */
export class IncomingSum {
  readonly #live: ReadonlyMap<number, LiveFetch>;
  readonly #tell: (event: IncomingEvent) => void;
  #isTold = false;

  constructor(live: ReadonlyMap<number, LiveFetch>, tell: (event: IncomingEvent) => void) {
    [this.#live, this.#tell] = [live, tell];
  }

  tell(): void {
    const running = this.#live.size;
    if (running === 0 && !this.#isTold) return;
    this.#isTold = running > 0;
    const live = [...this.#live.values()];
    const rate = live.reduce((sum, one) => sum + one.rate, 0);
    const left = live.reduce((sum, { toCome, sized }) => (sum === null || !sized ? null : sum + toCome), 0 as number | null);
    this.#tell({ down_bytes_per_second: rate, running, seconds_left: left !== null && rate > 0 ? Math.ceil(left / rate) : null });
  }
}
