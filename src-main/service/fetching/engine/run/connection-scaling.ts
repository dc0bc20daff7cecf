const minGain = 1.1;
// With two, small files of a distant server took a fifth longer.
const initialConnections = 4;
const sampleEveryMs = 250;
const retryAfterMs = 5000;
// A small file costs about as much as this many bytes.
const bytesPerFile = 32 * 1024;

/**
 * Finds the useful number of connections: adds some while that increases throughput, and retries
 * five seconds after it did not.
 */
export class ConnectionScaler {
  #max: number;
  #wanted: number;
  #best = 0;
  #tried = 0;
  #sampledAt = performance.now();
  #sampledScore = 0;
  #pausedUntil = 0;

  constructor(max: number) {
    this.#max = max;
    this.#wanted = Math.min(initialConnections, max);
  }

  get wanted(): number {
    return this.#wanted;
  }

  /** The server accepts no more connections. */
  reduce(running: number): void {
    this.#max = Math.max(1, Math.min(this.#max, running - 1));
    this.#wanted = Math.min(this.#wanted, this.#max);
  }

  /** @param bytes and files received in total */
  sample(bytes: number, files: number): void {
    const now = performance.now();
    if (now - this.#sampledAt < sampleEveryMs) return;
    const score = bytes + files * bytesPerFile;
    const rate = (score - this.#sampledScore) / (now - this.#sampledAt);
    [this.#sampledAt, this.#sampledScore] = [now, score];
    if (now < this.#pausedUntil) return;
    if (this.#tried > 0 && rate < this.#best * minGain) {
      // No gain: go back, and wait before the next try.
      this.#wanted = this.#tried;
      [this.#tried, this.#best, this.#pausedUntil] = [0, 0, now + retryAfterMs];
      return;
    }
    if (this.#wanted >= this.#max || rate === 0) return;
    [this.#best, this.#tried] = [rate, this.#wanted];
    this.#wanted = Math.min(this.#max, this.#wanted + Math.max(1, this.#wanted >> 1));
  }
}
