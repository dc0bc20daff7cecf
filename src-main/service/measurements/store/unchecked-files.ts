// More are found by the sweep over the whole measurement, which follows.
const maxQueued = 1000;

/** Files about which something has changed, and whose bytes are to be compared before they are served again: who asks for the comparison, and who waits for it. */
export class UncheckedFiles {
  readonly #queued = new Map<string, Set<number>>();
  readonly #waiting = new Map<string, Set<() => void>>();
  #begin: (measurementId: string) => void = () => {};

  /** Sets what begins the comparison for a measurement, unless it is under way. */
  onQueued(begin: (measurementId: string) => void): void {
    this.#begin = begin;
  }

  enqueue(measurementId: string, index: number): void {
    const asked = this.#queued.get(measurementId) ?? new Set();
    this.#queued.set(measurementId, asked);
    if (asked.size < maxQueued) asked.add(index);
    this.#begin(measurementId);
  }

  /** Takes the files of a measurement that somebody has asked for. */
  take(measurementId: string): readonly number[] {
    const asked = [...(this.#queued.get(measurementId) ?? [])];
    this.#queued.delete(measurementId);
    return asked;
  }

  /** Says that files were compared, whatever came out. */
  compared(measurementId: string, indices: readonly number[]): void {
    for (const index of indices) {
      const key = `${measurementId}/${index}`;
      for (const resolve of this.#waiting.get(key) ?? []) resolve();
      this.#waiting.delete(key);
    }
  }

  /** Waits until a file was compared, so many milliseconds at most. */
  async wait(measurementId: string, index: number, milliseconds: number): Promise<void> {
    const key = `${measurementId}/${index}`;
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, milliseconds);
      waiting.add(done);
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
    });
    if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
  }
}
