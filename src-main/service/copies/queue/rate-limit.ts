import { setTimeout } from 'node:timers/promises';
import { TokenBucket } from '../../common/token-bucket.ts';

const unlimitedPartBytes = 1024 * 1024;
const maxLimitedPartBytes = 64 * 1024;
const minPartBytes = 1024;

/** Limits the rate of all copies together. */
export class RateLimit {
  #bucket: TokenBucket | null = null;

  /** @param bytesPerSecond null for no limit. */
  set(bytesPerSecond: number | null): void {
    if (bytesPerSecond === (this.#bucket?.perSecond ?? null)) return;
    this.#bucket =
      bytesPerSecond === null ? null : new TokenBucket(bytesPerSecond / 4, bytesPerSecond, performance.now());
  }

  /** Of a quarter of a second, so that no connection is silent for long enough to be taken for dead. */
  get maxPartBytes(): number {
    if (this.#bucket === null) return unlimitedPartBytes;
    return Math.min(maxLimitedPartBytes, Math.max(minPartBytes, Math.floor(this.#bucket.perSecond / 4)));
  }

  /** Waits until so many bytes may be sent. */
  async wait(bytes: number): Promise<void> {
    this.#bucket?.take(bytes);
    for (let bucket = this.#bucket; bucket !== null; bucket = this.#bucket) {
      const tokens = bucket.refill(performance.now());
      if (tokens >= 0) return;
      await setTimeout(Math.min(250, Math.ceil((-tokens / bucket.perSecond) * 1000)));
    }
  }
}
