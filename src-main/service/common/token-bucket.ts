/** Refills at a constant rate up to its size; taking more than it holds overdraws it. */
export class TokenBucket {
  readonly size: number;
  readonly perSecond: number;
  #tokens: number;
  #at: number;

  /** @param now in milliseconds, of the clock that all later times are of. */
  constructor(size: number, perSecond: number, now: number) {
    [this.size, this.perSecond, this.#tokens, this.#at] = [size, perSecond, size, now];
  }

  /** As of the last refill; negative if overdrawn. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Removes tokens; a negative amount returns them. */
  take(amount: number): void {
    this.#tokens -= amount;
  }

  /** @returns the tokens now */
  refill(now: number): number {
    this.#tokens = Math.min(this.size, this.#tokens + ((now - this.#at) / 1000) * this.perSecond);
    this.#at = now;
    return this.#tokens;
  }
}
