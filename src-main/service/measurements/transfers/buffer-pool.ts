/** Reuses buffers of one size: allocating one for each read halves the requests per second. */
class BufferPool {
  readonly #size: number;
  readonly #kept: number;
  readonly #free: Buffer[] = [];

  /** @param kept Most unused buffers that stay allocated. */
  constructor(size: number, kept: number) {
    this.#size = size;
    this.#kept = kept;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size);
  }

  give(buffer: Buffer): void {
    if (this.#free.length < this.#kept) this.#free.push(buffer);
  }
}

const kibibyte = 1024;

/**
 * Buffers for sending: big ones while few transfers run, small ones for many transfers or short
 * bodies, and small ones with room for a head before the body.
 */
export class SendBuffers {
  static readonly small = 64 * kibibyte;
  static readonly headRoom = 4 * kibibyte;
  static readonly withHead = this.small + this.headRoom;
  static readonly big = 256 * kibibyte;
  // Each pool keeps up to 4 MiB allocated between transfers.
  readonly #small = new BufferPool(SendBuffers.small, 64);
  readonly #withHead = new BufferPool(SendBuffers.withHead, 64);
  readonly #big = new BufferPool(SendBuffers.big, 16);

  take(size: number): Buffer {
    return this.#poolOf(size).take();
  }

  give(buffer: Buffer): void {
    this.#poolOf(buffer.length).give(buffer);
  }

  #poolOf(size: number): BufferPool {
    if (size === SendBuffers.small) return this.#small;
    return size === SendBuffers.withHead ? this.#withHead : this.#big;
  }
}
