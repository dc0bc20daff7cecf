import { setTimeout } from 'node:timers/promises';
import { TokenBucket } from '../../common/token-bucket.ts';

const unlimitedPartBytes = 1024 * 1024;
const limitedPartBytes = 64 * 1024;

/** Limits the rate of all copies together. */
export class Pace {
  #bucket: TokenBucket | null = null;

  /** @param bytesPerSecond null for no limit. */
  limit(bytesPerSecond: number | null): void {
    if (bytesPerSecond === (this.#bucket?.perSecond ?? null)) return;
    this.#bucket =
      bytesPerSecond === null ? null : new TokenBucket(bytesPerSecond / 4, bytesPerSecond, performance.now());
  }

  /** Small parts keep a limited rate even. */
  get maxPartBytes(): number {
    return this.#bucket === null ? unlimitedPartBytes : limitedPartBytes;
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
