import { crc32 } from '@node-rs/crc32';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { localHeaderLength } from '../../../../src-shared/archive/zip-format.ts';
import type { FileOutcome } from '../../files/hash-messages.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import { blockBytes } from '../store/block-sums.ts';
import type { FileRow } from '../store/files-store.ts';
import type { ObjectsStore } from '../store/objects-store.ts';
import { damagedBlock } from '../storage/file-errors.ts';
import { KnownSums, lengthOfBlock } from './block-sums-of-object.ts';
import type { StoredObject } from './object-blocks.ts';

export interface ObjectReadDeps {
  readonly storage: ObjectStorage;
  readonly objects: Pick<ObjectsStore, 'sums'>;
}

const hashedInTurn = 512 * 1024;

/**
 * Reads files of an object from the storage, past the cache, and computes their checksums. A file
 * whose bytes are right is unreadable all the same when its block is not, because it is not served.
 *
 * @param rows in order, so that each block is read once.
 * @param bytesPerSecond null for no limit.
 * @throws ObjectStorageError when the storage cannot be reached or refuses the access key, or the
 * signal's reason.
 */
export async function hashObjectFiles(
  deps: ObjectReadDeps,
  object: StoredObject,
  rows: readonly FileRow[],
  bytesPerSecond: number | null,
  signal: AbortSignal,
): Promise<readonly FileOutcome[]> {
  const blocks = new BlocksInOrder(deps, object, signal);
  const outcomes: FileOutcome[] = [];
  const since = performance.now();
  const pace = async (): Promise<void> => {
    const dueMs = bytesPerSecond === null ? 0 : (blocks.bytes / bytesPerSecond) * 1000 - (performance.now() - since);
    if (dueMs > 0) await wait(dueMs, undefined, { signal });
  };
  for (const row of rows) outcomes.push(await hashFile(blocks, row, pace));
  return outcomes;
}

/** The block read last, straight from the storage. */
class BlocksInOrder {
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

async function hashFile(blocks: BlocksInOrder, row: FileRow, pace: () => Promise<void>): Promise<FileOutcome> {
  const start = row.archive_offset + localHeaderLength(row);
  const sha256 = createHash('sha256');
  let sum = 0;
  let isRight = true;
  for (let at = start; at < start + row.length;) {
    const block = Math.floor(at / blockBytes);
    let read;
    try {
      read = await blocks.read(block);
    } catch (error) {
      if (!(error instanceof ObjectStorageError) || (error.failure !== 'missing' && error.failure !== 'bad-answer'))
        throw error;
      return { index: row.idx, failed: 'unreadable', reason: failureText(error) };
    }
    isRight &&= read.isRight;
    const end = Math.min(start + row.length, (block + 1) * blockBytes);
    const bytes = read.bytes.subarray(at - block * blockBytes, end - block * blockBytes);
    for (let slice = 0; slice < bytes.length; slice += hashedInTurn) {
      const part = bytes.subarray(slice, slice + hashedInTurn);
      sha256.update(part);
      sum = crc32(part, sum);
      if (bytes.length >= hashedInTurn) await new Promise(setImmediate);
    }
    at = end;
    await pace();
  }
  const digest = sha256.digest('hex');
  if (!isRight && digest === row.sha256.toString('hex'))
    return { index: row.idx, failed: 'unreadable', reason: damagedBlock };
  return {
    index: row.idx,
    length: row.length,
    crc32: sum >>> 0,
    sha256: digest,
    mtimeNs: row.mtime_ns,
    ctimeNs: null,
    blocks: null,
    pieces: null,
    location: null,
    healed: false,
    at: Date.now(),
  };
}

function failureText(error: ObjectStorageError): string {
  return error.failure === 'missing'
    ? 'the object storage has no object of this measurement'
    : 'the object storage does not return its bytes';
}
