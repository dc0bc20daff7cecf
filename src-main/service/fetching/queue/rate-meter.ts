const windowMs = 8000;
const stalledAfterMs = 15_000;

/** The download rate over the last seconds. All times are monotonic. */
export class RateMeter {
  readonly #samples: { readonly at: number; readonly bytes: number }[] = [];
  #lastByteAt: number;
  #bytes = 0;

  constructor(at: number) {
    this.#lastByteAt = at;
    this.#samples.push({ at, bytes: 0 });
  }

  /** @param bytes received since the start */
  take(at: number, bytes: number): void {
    if (bytes > this.#bytes) this.#lastByteAt = at;
    this.#bytes = bytes;
    this.#samples.push({ at, bytes });
    // Keep one sample older than the window, so that the window is fully covered.
    while (at - (this.#samples[1]?.at ?? at) >= windowMs) this.#samples.shift();
  }

  get bytes(): number {
    return this.#bytes;
  }

  bytesPerSecond(at: number): number {
    const first = this.#samples[0];
    if (!first || at - first.at < 250) return 0;
    return Math.max(0, Math.round(((this.#bytes - first.bytes) / (at - first.at)) * 1000));
  }

  /** Milliseconds since the last byte. */
  silentFor(at: number): number {
    return at - this.#lastByteAt;
  }

  isStalled(at: number): boolean {
    return at - this.#lastByteAt >= stalledAfterMs;
  }
}
