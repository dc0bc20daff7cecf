/** Memory that is filled, and then read by another thread, slot by slot. */
export class SharedSlots {
  readonly #count: number;
  readonly #bytes: number;
  readonly #slots: Buffer[] = [];
  #at = 0;
  #filled = 0;

  /** @param count One more than other threads may be reading at once. */
  constructor(count: number, bytes: number) {
    this.#count = count;
    this.#bytes = bytes;
  }

  get isFull(): boolean {
    return this.#filled === this.#bytes;
  }

  /** @returns how many bytes there was room for. */
  fill(chunk: Buffer): number {
    // Made when they are first used, because most uploads are small.
    const slot = (this.#slots[this.#at] ??= Buffer.from(new SharedArrayBuffer(this.#bytes)));
    const copied = chunk.copy(slot, this.#filled);
    this.#filled += copied;
    return copied;
  }

  /** The bytes of the slot, after which the next one is filled; null when it is empty. */
  take(): Uint8Array | null {
    const slot = this.#slots[this.#at];
    if (slot === undefined || this.#filled === 0) return null;
    const bytes = slot.subarray(0, this.#filled);
    this.#at = (this.#at + 1) % this.#count;
    this.#filled = 0;
    return bytes;
  }
}
