interface Work {
  readonly begun: boolean;
  run(): Promise<void>;
}

/** Work that runs once for all callers waiting for it. */
export class SharedWork<T> implements Work {
  readonly done: Promise<T>;
  readonly #work: () => Promise<T>;
  #settle: (outcome: Promise<T>) => void = () => {};
  #begun = false;

  constructor(work: () => Promise<T>) {
    this.#work = work;
    this.done = new Promise((resolve) => (this.#settle = resolve));
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** Never rejects; `done` does. */
  async run(): Promise<void> {
    this.#begun = true;
    const outcome = this.#work();
    this.#settle(outcome);
    await outcome.catch(() => {});
  }
}

/**
 * Limits how much work runs at once, in total and per user. Waiting users take turns; work that
 * several users wait for runs at the first turn of any of them.
 */
export class FairSlots {
  readonly #perUser: number;
  /** Ordered by turn. */
  readonly #waiting = new Map<number, Work[]>();
  readonly #running = new Map<number, number>();
  #free: number;

  constructor(count: number, perUser: number) {
    this.#free = count;
    this.#perUser = perUser;
  }

  /**
   * Queues work for a user; it starts immediately where a slot is free. Work that has started takes
   * no further turn.
   */
  join(userId: number, work: Work): void {
    if (work.begun) return;
    const waiting = this.#waiting.get(userId);
    if (waiting) waiting.push(work);
    else this.#waiting.set(userId, [work]);
    this.#begin();
  }

  #begin(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (!next) return;
      void this.#run(next.userId, next.work);
    }
  }

  async #run(userId: number, work: Work): Promise<void> {
    this.#free -= 1;
    this.#running.set(userId, this.#runningOf(userId) + 1);
    await work.run();
    this.#free += 1;
    const left = this.#runningOf(userId) - 1;
    if (left > 0) this.#running.set(userId, left);
    else this.#running.delete(userId);
    this.#begin();
  }

  /** Takes the first work of the first user in the queue and moves that user to its end. */
  #next(): { readonly userId: number; readonly work: Work } | null {
    for (const [userId, waiting] of this.#waiting) {
      if (this.#runningOf(userId) >= this.#perUser) continue;
      this.#waiting.delete(userId);
      const at = waiting.findIndex((work) => !work.begun);
      const work = waiting[at];
      if (!work) continue;
      if (at + 1 < waiting.length) this.#waiting.set(userId, waiting.slice(at + 1));
      return { userId, work };
    }
    return null;
  }

  #runningOf(userId: number): number {
    return this.#running.get(userId) ?? 0;
  }
}
