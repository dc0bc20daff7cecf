/** Rate limits for all received bytes and for each server. */
export class Throttle {
  readonly #all = new TokenBucket();
  readonly #ofServers = new Map<string, TokenBucket>();
  readonly #resting = new Set<() => void>();

  /** Limits in bytes per second; null is unlimited. Servers not named have none. */
  limit(all: number | null, ofServers: ReadonlyMap<string, number>): void {
    this.#all.limit(all);
    for (const [server, bucket] of this.#ofServers) bucket.limit(ofServers.get(server) ?? null);
    for (const [server, rate] of ofServers) this.#bucketOf(server).limit(rate);
    // Ends current waits, which were computed with the previous limits.
    for (const goOn of this.#resting) goOn();
  }

  isLimited(server: string): boolean {
    return this.#all.rate !== null || this.#bucketOf(server).rate !== null;
  }

  /** Counts received bytes. @returns milliseconds to wait before receiving more */
  take(server: string, bytes: number): number {
    return Math.max(this.#all.take(bytes), this.#bucketOf(server).take(bytes));
  }

  /** Waits for `ms`, or until the limits change. @throws the signal's reason */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#resting.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#resting.add(end);
      signal.addEventListener('abort', end, { once: true });
    });
    signal.throwIfAborted();
  }

  #bucketOf(server: string): TokenBucket {
    const bucket = this.#ofServers.get(server) ?? new TokenBucket();
    this.#ofServers.set(server, bucket);
    return bucket;
  }
}

// The burst allowed after a pause.
const burstSeconds = 0.1;

class TokenBucket {
  #rate: number | null = null;
  #level = 0;
  #at = performance.now();

  get rate(): number | null {
    return this.#rate;
  }

  /** Bytes received under another limit no longer count. */
  limit(rate: number | null): void {
    if (rate === this.#rate) return;
    [this.#rate, this.#level, this.#at] = [rate, 0, performance.now()];
  }

  take(bytes: number): number {
    const rate = this.#rate;
    if (rate === null) return 0;
    const now = performance.now();
    this.#level = Math.min(this.#level + ((now - this.#at) / 1000) * rate, rate * burstSeconds) - bytes;
    this.#at = now;
    return this.#level < 0 ? (-this.#level / rate) * 1000 : 0;
  }
}
