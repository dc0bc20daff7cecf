/** Limits of speed, over all that comes and for one server. */
export class Throttle {
  readonly #all = new TokenBucket();
  readonly #ofServers = new Map<string, TokenBucket>();

  /** Bytes per second; null is no limit. What is not named has none. */
  limit(all: number | null, ofServers: ReadonlyMap<string, number>): void {
    this.#all.rate = all;
    for (const [server, bucket] of this.#ofServers) bucket.rate = ofServers.get(server) ?? null;
    for (const [server, rate] of ofServers) this.#bucketOf(server).rate = rate;
  }

  isLimited(server: string): boolean {
    return this.#all.rate !== null || this.#bucketOf(server).rate !== null;
  }

  /** Takes note of bytes that have come. @returns milliseconds to wait before more are taken */
  take(server: string, bytes: number): number {
    return Math.max(this.#all.take(bytes), this.#bucketOf(server).take(bytes));
  }

  #bucketOf(server: string): TokenBucket {
    const bucket = this.#ofServers.get(server) ?? new TokenBucket();
    this.#ofServers.set(server, bucket);
    return bucket;
  }
}

// What may come at once after a pause.
const burstSeconds = 0.1;

class TokenBucket {
  rate: number | null = null;
  #level = 0;
  #at = performance.now();

  take(bytes: number): number {
    if (this.rate === null) return 0;
    const now = performance.now();
    this.#level = Math.min(this.#level + ((now - this.#at) / 1000) * this.rate, this.rate * burstSeconds) - bytes;
    this.#at = now;
    return this.#level < 0 ? (-this.#level / this.rate) * 1000 : 0;
  }
}
