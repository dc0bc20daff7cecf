import { crc32 } from '@node-rs/crc32';

/** Bytes that are verified together before a range within them is sent. */
export const blockBytes = 4 * 1024 * 1024;
/** Blocks per row: 4 KiB of sums for 4 GiB of a file. */
export const blocksPerPage = 1024;
const sumBytes = 4;

/**
 * Whether a file has more than one block; otherwise the CRC-32 of the file is that of its block.
 */
export function hasBlockSums(length: number): boolean {
  return length > blockBytes;
}

/**
 * Computes the CRC-32 of a file and its running value at the end of each 4 MiB block (32 bits,
 * little-endian). A block is verified by continuing from the value before it, so that the block
 * sums cost nothing extra while hashing.
 */
export class RunningSums {
  readonly #ends: Buffer | null;
  #crc = 0;
  #length = 0;

  /** @param expected Length of the file in bytes. */
  constructor(expected: number) {
    this.#ends = hasBlockSums(expected) ? Buffer.alloc(Math.ceil(expected / blockBytes) * sumBytes) : null;
  }

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + blockBytes - (this.#length % blockBytes));
      this.#crc = crc32(part, this.#crc) >>> 0;
      const block = Math.floor(this.#length / blockBytes);
      this.#length += part.length;
      at += part.length;
      if (this.#ends && block * sumBytes < this.#ends.length) this.#ends.writeUInt32LE(this.#crc, block * sumBytes);
    }
  }

  get length(): number {
    return this.#length;
  }

  get crc32(): number {
    return this.#crc;
  }

  /** Null for a file with one block. */
  get blocks(): Uint8Array | null {
    return this.#ends;
  }
}

/**
 * Returns the running CRC-32 at the end of a block.
 *
 * @param page The page of sums that contains it.
 */
export function sumAt(page: Uint8Array, block: number): number {
  return new DataView(page.buffer, page.byteOffset, page.byteLength).getUint32(
    (block % blocksPerPage) * sumBytes,
    true,
  );
}

/** Splits the sums of a file into rows. */
export function pagesOf(blocks: Uint8Array): readonly Uint8Array[] {
  const pages: Uint8Array[] = [];
  for (let at = 0; at < blocks.length; at += blocksPerPage * sumBytes)
    pages.push(blocks.subarray(at, at + blocksPerPage * sumBytes));
  return pages;
}
