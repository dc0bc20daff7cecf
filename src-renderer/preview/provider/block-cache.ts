/**
 * Size of the blocks that are kept, in bytes. A response of this size is recorded together with
 * others like it (`SendBuffers.small` of the service), so that a preview is one row of the audit
 * trail and not hundreds.
 */
export const blockBytes = 64 * 1024;

/** Blocks of a file by number, the least recently used of which are forgotten. */
export class BlockCache {
  readonly #maxBlocks: number;
  readonly #blocks = new Map<number, Uint8Array>();

  /** @param maxBytes Most bytes that are kept. */
  constructor(maxBytes: number) {
    this.#maxBlocks = Math.max(1, Math.floor(maxBytes / blockBytes));
  }

  has(block: number): boolean {
    return this.#blocks.has(block);
  }

  get(block: number): Uint8Array | undefined {
    const found = this.#blocks.get(block);
    if (found === undefined) return undefined;
    this.#blocks.delete(block);
    this.#blocks.set(block, found);
    return found;
  }

  /** Keeps the bytes of consecutive blocks, the first of which is `block`. */
  put(block: number, bytes: Uint8Array): void {
    for (let at = 0; at * blockBytes < bytes.length; at += 1) {
      this.#blocks.delete(block + at);
      this.#blocks.set(block + at, bytes.subarray(at * blockBytes, (at + 1) * blockBytes));
    }
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#maxBlocks) return;
      this.#blocks.delete(oldest);
    }
  }
}
