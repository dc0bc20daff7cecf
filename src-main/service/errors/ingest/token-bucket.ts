// After a bucket ran empty it stays closed until this fraction is refilled; otherwise a sender that
// retries with the very next token would be refused again at once.
const restFraction = 0.1;
const maxWaitSeconds = 60;

/** Token bucket: refills at a constant rate up to its size. */
export class TokenBucket {
  readonly #size: number;
  readonly #perSecond: number;
  #tokens: number;
  #at: number;
  #resting = false;

  constructor(size: number, perSecond: number, now: number) {
    this.#size = size;
    this.#perSecond = perSecond;
    this.#tokens = size;
    this.#at = now;
  }

  /** @returns whole seconds until tokens are available; 0 when they are now. */
  wait(now: number): number {
    this.#refill(now);
    const needed = this.#resting ? Math.max(1, this.#size * restFraction) : 1;
    this.#resting = this.#tokens < needed;
    return this.#resting
      ? Math.min(
          maxWaitSeconds,
          Math.max(1, Math.ceil((Math.max(1, this.#size * restFraction) - this.#tokens) / this.#perSecond)),
        )
      : 0;
  }

  /** Removes tokens; a negative amount returns them. */
  take(amount: number): void {
    this.#tokens -= amount;
  }

  /** Whether the bucket is overdrawn by more than `allowance`. */
  isOverdrawn(allowance: number, now: () => number): boolean {
    if (this.#tokens >= -allowance) return false;
    this.#refill(now());
    return this.#tokens < -allowance;
  }

  #refill(now: number): void {
    this.#tokens = Math.min(this.#size, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
  }
}
