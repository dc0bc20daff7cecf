import { TokenBucket } from '../../../common/token-bucket.ts';

/** Rate limits for all received bytes and for each server. */
export class Throttle {
  #all: TokenBucket | undefined;
  #ofServers: ReadonlyMap<string, TokenBucket | undefined> = new Map();
  readonly #resting = new Set<() => void>();

  /** Limits in bytes per second; null is unlimited. Servers not named have none. */
  limit(all: number | null, ofServers: ReadonlyMap<string, number>): void {
    this.#all = bucketAt(all, this.#all);
    const before = this.#ofServers;
    this.#ofServers = new Map(
      Array.from(ofServers, ([server, rate]) => [server, bucketAt(rate, before.get(server))] as const),
    );
    // Ends current waits, which were computed with the previous limits.
    for (const goOn of this.#resting) goOn();
  }

  isLimited(server: string): boolean {
    return this.#all !== undefined || this.#ofServers.has(server);
  }

  /** Counts received bytes. @returns milliseconds to wait before receiving more */
  take(server: string, bytes: number): number {
    return Math.max(waitFor(bytes, this.#all), waitFor(bytes, this.#ofServers.get(server)));
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
}

// The burst allowed after a pause.
const burstSeconds = 0.1;

/** The bucket of a rate; bytes received at another rate do not count. */
function bucketAt(rate: number | null, before: TokenBucket | undefined): TokenBucket | undefined {
  if (rate === null) return undefined;
  return rate === before?.perSecond ? before : new TokenBucket(rate * burstSeconds, rate, performance.now());
}

/** Takes bytes. @returns milliseconds to wait before receiving more */
function waitFor(bytes: number, bucket: TokenBucket | undefined): number {
  if (!bucket) return 0;
  bucket.refill(performance.now());
  bucket.take(bytes);
  return (Math.max(0, -bucket.tokens) / bucket.perSecond) * 1000;
}
