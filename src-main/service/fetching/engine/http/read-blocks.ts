interface Block {
  readonly buffer: Buffer;
  /** Spans whose bytes are still needed. */
  uses: number;
}

/** Bytes that have come and are still needed. */
interface Span {
  readonly block: Block;
  readonly start: number;
  end: number;
}

const blocksEach = 3;

/**
 * The buffers of a connection. The system is told where the next bytes go before they come, so a place that was given away stays where it is until bytes
 * are in it, whatever happens meanwhile.
 */
export class ReadBlocks {
  readonly #blockBytes: number;
  readonly #blocks: Block[] = [];
  readonly #spans: Span[] = [];
  #block: Block;
  #at = 0;
  #waiting = 0;

  /** @param blockBytes of each of three buffers. */
  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
    this.#block = this.#newBlock();
  }

  /** Bytes that have come and were not taken. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether there is room for what comes while others are still needed. */
  get hasSpace(): boolean {
    return this.#blocks.filter((block) => block.uses > 0).length < blocksEach - 1;
  }

  /** Whether what waits should be taken, so that more can come: less room makes for small reads. */
  get isFull(): boolean {
    return this.#blockBytes - this.#at < this.#blockBytes / 4;
  }

  /** Where the next bytes go. */
  next(): Buffer {
    if (this.#block.uses === 0) this.#at = 0;
    if (this.isFull) [this.#block, this.#at] = [this.#blocks.find((block) => block.uses === 0) ?? this.#newBlock(), 0];
    return this.#block.buffer.subarray(this.#at);
  }

  /** So many bytes are in the place that was given last. */
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

  /** The first of the bytes that wait, without taking them; at most one block of them. */
  peek(): Buffer {
    const [span] = this.#spans;
    return span ? span.block.buffer.subarray(span.start, span.end) : Buffer.alloc(0);
  }

  /** Takes bytes, at most so many; `release` says that they are not needed any more. */
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
