/** A verified block; call `release` when its bytes were used. */
export type OpenBlock = { readonly release: () => void } & ({ readonly fd: number } | { readonly bytes: Buffer });

interface Resident {
  readonly buffer: Buffer;
  readonly length: number;
  users: number;
}

/** The blocks that were read last, in memory: what is downloaded once is not written to the cache. */
export class ResidentBlocks {
  readonly #maxBlocks: number;
  /** The longest unused one first. */
  readonly #blocks = new Map<string, Resident>();

  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks;
  }

  use(name: string): (OpenBlock & { readonly bytes: Buffer }) | null {
    const block = this.#blocks.get(name);
    if (!block) return null;
    this.#blocks.delete(name);
    this.#blocks.set(name, block);
    block.users += 1;
    return { bytes: block.buffer.subarray(0, block.length), release: () => void (block.users -= 1) };
  }

  /**
   * Takes a buffer with a block over, unless all blocks are in use.
   *
   * @returns a buffer for it in exchange, null when one has to be made; or `full`.
   */
  add(name: string, buffer: Buffer, length: number): Buffer | null | 'full' {
    const freed = this.#blocks.size < this.#maxBlocks ? null : this.#takeUnused();
    if (freed === 'full') return 'full';
    this.#blocks.set(name, { buffer, length, users: 0 });
    return freed;
  }

  #takeUnused(): Buffer | 'full' {
    for (const [name, { users, buffer }] of this.#blocks) {
      if (users > 0) continue;
      this.#blocks.delete(name);
      return buffer;
    }
    return 'full';
  }
}
