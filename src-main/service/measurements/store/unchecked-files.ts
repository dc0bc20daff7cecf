// Files beyond this number are found by the following verification of the whole measurement.
const maxQueued = 1000;

/**
 * Queue of files whose metadata changed and whose bytes must be compared before they are served
 * again.
 */
export class UncheckedFiles {
  readonly #queued = new Map<string, Set<number>>();
  readonly #waiting = new Map<string, Set<() => void>>();
  #begin: (measurementId: string) => void = () => {};

  /** Sets the function that starts the comparison for a measurement unless it is running. */
  onQueued(begin: (measurementId: string) => void): void {
    this.#begin = begin;
  }

  enqueue(measurementId: string, index: number): void {
    const asked = this.#queued.get(measurementId) ?? new Set();
    this.#queued.set(measurementId, asked);
    if (asked.size < maxQueued) asked.add(index);
    this.#begin(measurementId);
  }

  /** Removes and returns the queued files of a measurement. */
  take(measurementId: string): readonly number[] {
    const asked = [...(this.#queued.get(measurementId) ?? [])];
    this.#queued.delete(measurementId);
    return asked;
  }

  /** Signals that files were compared, whatever the result. */
  compared(measurementId: string, indices: readonly number[]): void {
    for (const index of indices) {
      const key = `${measurementId}/${index}`;
      for (const resolve of this.#waiting.get(key) ?? []) resolve();
      this.#waiting.delete(key);
    }
  }

  /** Waits until a file was compared, at most for this many milliseconds. */
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
