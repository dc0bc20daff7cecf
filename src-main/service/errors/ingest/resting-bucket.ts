import { TokenBucket } from '../../common/token-bucket.ts';

// After a bucket ran empty it stays closed until this fraction is refilled; otherwise a sender that
// retries with the very next token would be refused again at once.
const restFraction = 0.1;
const maxWaitSeconds = 60;

/** A token bucket that says how long to wait. */
export class RestingBucket extends TokenBucket {
  #resting = false;

  /** @returns whole seconds until tokens are available; 0 when they are now. */
  wait(now: number): number {
    const tokens = this.refill(now);
    const rested = Math.max(1, this.size * restFraction);
    this.#resting = tokens < (this.#resting ? rested : 1);
    if (!this.#resting) return 0;
    return Math.min(maxWaitSeconds, Math.max(1, Math.ceil((rested - tokens) / this.perSecond)));
  }

  /** Whether the bucket is overdrawn by more than `allowance`. */
  isOverdrawn(allowance: number, now: () => number): boolean {
    return this.tokens < -allowance && this.refill(now()) < -allowance;
  }
}
