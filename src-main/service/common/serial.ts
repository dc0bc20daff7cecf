/** Runs tasks one at a time, so that none sees a state another is changing. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  /** @returns the result of `work`, which must not wait for other work of this queue */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work);
    // The caller handles a failure; the next task runs regardless.
    this.#tail = mine.catch(() => {});
    return mine;
  }

  /** Resolves when all tasks added so far are done. */
  async settled(): Promise<void> {
    await this.#tail;
  }
}
