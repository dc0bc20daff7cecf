const idleMs = 10_000;

export interface PartBuffersOptions {
  /** Bytes in use at once; one buffer that is larger is used alone. */
  readonly maxBytes: number;
  /** Length of the buffers that are reused; longer ones are made for each use. */
  readonly length: number;
}

/**
 * Buffers for the parts that are being sent. They are reused, because the garbage of new ones costs
 * more processor time than sending them, and bounded: more work waits for its turn, in order.
 */
export class PartBuffers {
  readonly #options: PartBuffersOptions;
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  readonly #free: Buffer[] = [];
  #used = 0;
  #drop: NodeJS.Timeout | undefined;

  constructor(options: PartBuffersOptions) {
    this.#options = options;
  }

  /** @param work gets a buffer of so many bytes, which is not its own any more once it resolves. */
  async run<Result>(bytes: number, work: (buffer: Buffer) => Promise<Result>): Promise<Result> {
    const held = Math.max(bytes, this.#options.length);
    if (this.#waiting.length > 0 || !this.#fits(held))
      await new Promise<void>((start) => this.#waiting.push({ bytes: held, start }));
    else this.#used += held;
    clearTimeout(this.#drop);
    const buffer = (held === this.#options.length && this.#free.pop()) || Buffer.allocUnsafeSlow(held);
    try {
      return await work(buffer.subarray(0, bytes));
    } finally {
      if (held === this.#options.length) this.#free.push(buffer);
      this.#used -= held;
      this.#startNext();
      if (this.#used === 0) this.#drop = setTimeout(() => (this.#free.length = 0), idleMs).unref();
    }
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#options.maxBytes;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.bytes;
      next.start();
    }
  }
}
