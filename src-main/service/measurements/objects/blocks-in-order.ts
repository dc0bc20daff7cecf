import { crc32 } from '@node-rs/crc32';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { blockBytes } from '../store/block-sums.ts';
import type { ObjectsStore } from '../store/objects-store.ts';
import { KnownSums, lengthOfBlock } from './block-sums-of-object.ts';
import type { StoredObject } from './object-blocks.ts';

export interface ObjectReadDeps {
  readonly storage: ObjectStorage;
  readonly objects: Pick<ObjectsStore, 'sums'>;
}

/** The block read last, straight from the storage. */
export class BlocksInOrder {
  readonly #deps: ObjectReadDeps;
  readonly #object: StoredObject;
  readonly #signal: AbortSignal;
  readonly #sums: KnownSums;
  readonly #buffer: Buffer;
  #block = -1;
  /** Read so far. */
  bytes = 0;
  #isRight = false;

  constructor(deps: ObjectReadDeps, object: StoredObject, signal: AbortSignal) {
    [this.#deps, this.#object, this.#signal] = [deps, object, signal];
    this.#sums = new KnownSums(deps.objects);
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(blockBytes, object.length));
  }

  /** @returns the bytes of a block as the storage has them, and whether they are those that were stored. */
  async read(block: number): Promise<{ readonly bytes: Buffer; readonly isRight: boolean }> {
    const bytes = this.#buffer.subarray(0, lengthOfBlock(this.#object.length, block));
    if (block !== this.#block) {
      this.#block = -1;
      await this.#deps.storage.read(this.#object.key, block * blockBytes, bytes, this.#signal);
      this.#isRight = crc32(bytes) >>> 0 === (await this.#sums.of(this.#object, block));
      this.#block = block;
      this.bytes += bytes.length;
    }
    return { bytes, isRight: this.#isRight };
  }
}
