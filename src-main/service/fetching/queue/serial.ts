/** Does one piece of work after the other, so that none meets a state that another is just changing. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  /** @returns what `work` returns. It must not wait for other work of the same queue. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work);
    // Who waits for it hears of a failure; the next one begins all the same.
    this.#tail = mine.catch(() => {});
    return mine;
  }

  /** When everything that was given so far is done. */
  async settled(): Promise<void> {
    await this.#tail;
  }
}
