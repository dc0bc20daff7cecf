const grows = 1.1;
// With two at first, small files of a server that is far away took a fifth longer.
const atFirst = 4;
const looksEvery = 250;
const patience = 5000;
// A small file costs about as much as so many bytes.
const bytesPerFile = 32 * 1024;

/** How many connections are worth it: one more as long as that makes it faster, and another try every five seconds. */
export class Pace {
  #most: number;
  #wanted: number;
  #best = 0;
  #tried = 0;
  #lookedAt = performance.now();
  #lookedScore = 0;
  #restsUntil = 0;

  constructor(most: number) {
    this.#most = most;
    this.#wanted = Math.min(atFirst, most);
  }

  get wanted(): number {
    return this.#wanted;
  }

  /** The server takes no more than there are. */
  lower(running: number): void {
    this.#most = Math.max(1, Math.min(this.#most, running - 1));
    this.#wanted = Math.min(this.#wanted, this.#most);
  }

  /** @param bytes and files that have come in all */
  look(bytes: number, files: number): void {
    const now = performance.now();
    if (now - this.#lookedAt < looksEvery) return;
    const score = bytes + files * bytesPerFile;
    const rate = (score - this.#lookedScore) / (now - this.#lookedAt);
    [this.#lookedAt, this.#lookedScore] = [now, score];
    if (now < this.#restsUntil) return;
    if (this.#tried > 0 && rate < this.#best * grows) {
      // It did not help: back, and rest.
      this.#wanted = this.#tried;
      [this.#tried, this.#best, this.#restsUntil] = [0, 0, now + patience];
      return;
    }
    if (this.#wanted >= this.#most || rate === 0) return;
    [this.#best, this.#tried] = [rate, this.#wanted];
    this.#wanted = Math.min(this.#most, this.#wanted + Math.max(1, this.#wanted >> 1));
  }
}
