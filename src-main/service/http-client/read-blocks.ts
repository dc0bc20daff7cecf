interface Block {
  readonly buffer: Buffer;
  /** Number of spans whose bytes are still in use. */
  uses: number;
}

/** Received bytes that are still in use. */
interface Span {
  readonly block: Block;
  readonly start: number;
  end: number;
}

const blocksEach = 3;

/**
 * The read buffers of a connection. The read target is chosen before the bytes arrive, so a region
 * once returned by `next` stays reserved until they do.
 */
export class ReadBlocks {
  readonly #blockBytes: number;
  readonly #blocks: Block[] = [];
  readonly #spans: Span[] = [];
  #block: Block;
  #at = 0;
  #waiting = 0;

  /** @param blockBytes the size of each of the three buffers. */
  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
    this.#block = this.#newBlock();
  }

  /** Bytes received and not yet taken. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether there is space to receive while other blocks are in use. */
  get hasSpace(): boolean {
    return this.#blocks.filter((block) => block.uses > 0).length < blocksEach - 1;
  }

  /** Whether waiting bytes should be taken: little space left causes small reads. */
  get isFull(): boolean {
    return this.#blockBytes - this.#at < this.#blockBytes / 4;
  }

  /** The region for the next read. */
  next(): Buffer {
    if (this.#block.uses === 0) this.#at = 0;
    if (this.isFull) [this.#block, this.#at] = [this.#blocks.find((block) => block.uses === 0) ?? this.#newBlock(), 0];
    return this.#block.buffer.subarray(this.#at);
  }

  /** Records bytes received into the region that `next` returned last. */
  received(count: number): void {
    const [start, end] = [this.#at, this.#at + count];
    [this.#at, this.#waiting] = [end, this.#waiting + count];
    const last = this.#spans.at(-1);
    if (last?.block === this.#block && last.end === start) last.end = end;
    else {
      this.#block.uses += 1;
      this.#spans.push({ block: this.#block, start, end });
    }
  }

  /** The first waiting bytes without taking them, at most one block. */
  peek(): Buffer {
    const [span] = this.#spans;
    return span ? span.block.buffer.subarray(span.start, span.end) : Buffer.alloc(0);
  }

  /** Takes at most `maxBytes`; call `release` when they are no longer used. */
  take(maxBytes: number): { readonly bytes: Buffer; readonly release: () => void } | null {
    const span = this.#spans.shift();
    if (!span) return null;
    const { block, start } = span;
    const end = Math.min(span.end, start + maxBytes);
    this.#waiting -= end - start;
    if (end < span.end) {
      block.uses += 1;
      this.#spans.unshift({ block, start: end, end: span.end });
    }
    return { bytes: block.buffer.subarray(start, end), release: () => void (block.uses -= 1) };
  }

  #newBlock(): Block {
    const block = { buffer: Buffer.allocUnsafeSlow(this.#blockBytes), uses: 0 };
    this.#blocks.push(block);
    return block;
  }
}
