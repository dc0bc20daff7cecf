import { crc32 } from '@node-rs/crc32';
import { LRUCache } from 'lru-cache';
import { blockBytes, blocksPerPage, sumAt } from '../store/block-sums.ts';
import type { ObjectsStore } from '../store/objects-store.ts';

const sumBytes = 4;
// 4 KiB each.
const maxPages = 1024;

/** Collects the CRC-32 of each block of 4 MiB of an object (32 bits, little-endian). */
export class ObjectSums {
  readonly #sums: Buffer;

  /** @param length of the object in bytes. */
  constructor(length: number) {
    this.#sums = Buffer.alloc(blockCount(length) * sumBytes);
  }

  /** Adds bytes at their position; those of a block have to come in order. */
  add(bytes: Buffer, position: number): void {
    for (let at = 0; at < bytes.length;) {
      const block = Math.floor((position + at) / blockBytes);
      const part = bytes.subarray(at, at + (block + 1) * blockBytes - position - at);
      const before = (position + at) % blockBytes === 0 ? 0 : this.#sums.readUInt32LE(block * sumBytes);
      this.#sums.writeUInt32LE(crc32(part, before) >>> 0, block * sumBytes);
      at += part.length;
    }
  }

  get bytes(): Uint8Array {
    return this.#sums;
  }
}

export function blockCount(length: number): number {
  return Math.ceil(length / blockBytes);
}

/** Length of a block of an object in bytes. */
export function lengthOfBlock(length: number, block: number): number {
  return Math.min(blockBytes, length - block * blockBytes);
}

/** Reads the sums of blocks, and keeps those read last. */
export class KnownSums {
  readonly #store: Pick<ObjectsStore, 'sums'>;
  readonly #pages = new LRUCache<string, Uint8Array>({ max: maxPages });

  constructor(store: Pick<ObjectsStore, 'sums'>) {
    this.#store = store;
  }

  /** @throws Error when there is none. */
  async of(
    { measurementId, key }: { readonly measurementId: string; readonly key: string },
    block: number,
  ): Promise<number> {
    const number = Math.floor(block / blocksPerPage);
    const name = `${key} ${number}`;
    const page = this.#pages.get(name) ?? (await this.#store.sums(measurementId, number));
    if (!page || page.length < ((block % blocksPerPage) + 1) * sumBytes)
      throw new Error(`block ${block} of ${key} has no checksum`);
    this.#pages.set(name, page);
    return sumAt(page, block);
  }
}
