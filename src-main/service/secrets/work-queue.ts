import { HttpProblem } from '../common/problem.ts';

/**
 * Runs costly work a few at a time, in order, and refuses it when the queue is full: a flood of
 * sign-ins must neither take the processors from running downloads nor pile up in memory.
 */
export class WorkQueue {
  readonly #concurrency: number;
  readonly #maxQueued: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(concurrency: number, maxQueued: number) {
    this.#concurrency = concurrency;
    this.#maxQueued = maxQueued;
  }

  /** @throws HttpProblem 503 with Retry-After when the queue is full. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#concurrency) {
      if (this.#waiting.length >= this.#maxQueued) {
        throw new HttpProblem(503, 'Too many sign-ins at once. Try again in a few seconds.', {
          type: 'busy',
          headers: { 'retry-after': '5' },
        });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The place passes directly to the next in the queue, so that no later arrival gets in
      // between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
