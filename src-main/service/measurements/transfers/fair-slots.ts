interface Work {
  readonly begun: boolean;
  run(): Promise<void>;
}

/** A piece of work that runs once, whoever and how many wait for it. */
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

  /** Never fails: `done` does. */
  async run(): Promise<void> {
    this.#begun = true;
    const outcome = this.#work();
    this.#settle(outcome);
    await outcome.catch(() => {});
  }
}

/** Lets so many pieces of work run at once, and fewer for one user. Users who wait take turns; work that several wait for takes the first turn of any of them. */
export class FairSlots {
  readonly #perUser: number;
  /** In the order of their turns. */
  readonly #waiting = new Map<number, Work[]>();
  readonly #running = new Map<number, number>();
  #free: number;

  constructor(count: number, perUser: number) {
    this.#free = count;
    this.#perUser = perUser;
  }

  /** Makes a user wait for work, which begins at once when there is room; work that has begun takes no other turn. */
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

  /** Takes the first work of the first user in turn, who is the last in turn from then on. */
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
