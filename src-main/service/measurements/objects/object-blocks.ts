import { crc32 } from '@node-rs/crc32';
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { FileHandle } from 'node:fs/promises';
import { HttpProblem } from '../../common/problem.ts';
import { errorCode } from '../../common/error-code.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import { blockBytes } from '../store/block-sums.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { ObjectsStore } from '../store/objects-store.ts';
import { FairSlots, SharedWork } from '../transfers/fair-slots.ts';
import { LRUCache } from 'lru-cache';
import type { BlockCache } from './block-cache.ts';
import { ResidentBlocks, type OpenBlock } from './resident-blocks.ts';
import { StorageAvailability } from './storage-availability.ts';
import { KnownSums, lengthOfBlock } from './block-sums-of-object.ts';

/** The archive of a measurement in the object storage. */
export interface StoredObject {
  readonly measurementId: string;
  readonly key: string;
  /** In bytes. */
  readonly length: number;
}

/** The object of a measurement; null when its files lie in a folder. */
export function objectOf({
  id,
  object_key: key,
  archive_bytes: length,
}: Pick<MeasurementRow, 'id' | 'object_key' | 'archive_bytes'>): StoredObject | null {
  return key === null ? null : { measurementId: id, key, length };
}

/** The storage answered with other bytes than were stored, more than once. */
export class DamagedBlock extends Error {
  /** Position of its first byte in the object. */
  readonly position: number;

  constructor(object: StoredObject, block: number) {
    super(`block ${block} of ${object.key} is not as it was stored`);
    this.name = 'DamagedBlock';
    this.position = block * blockBytes;
  }
}

// Each holds 4 MiB of memory.
const maxConcurrentReads = 8;
const maxReadsPerUser = 4;
const maxWrongReads = 3;
/** 64 MiB, and at most a quarter of the cache. */
const maxResidentBlocks = 16;
/** A larger object is written to the cache when a block of it is read for the second time. */
const smallObjectBytes = 64 * 1024 * 1024;
const maxSeenBlocks = 100_000;
// A block may be removed from a full cache before the one who waited for it uses it.
const maxRounds = 5;

/**
 * Blocks of objects, read from the storage or the cache. A block is verified against its checksum
 * before anything of it is used; concurrent requests for a block share one read.
 */
export class ObjectBlocks {
  readonly #storage: ObjectStorage;
  readonly #sums: KnownSums;
  readonly #cache: BlockCache;
  readonly #availability: StorageAvailability;
  readonly #slots = new FairSlots(maxConcurrentReads, maxReadsPerUser);
  readonly #running = new Map<string, SharedWork<void>>();
  readonly #buffers: Buffer[] = [];
  readonly #residents: ResidentBlocks;
  /** Blocks that were read before, so that a download of everything does not displace them. */
  readonly #seen = new LRUCache<string, true>({ max: maxSeenBlocks });
  readonly #stopping = new AbortController();

  constructor(
    storage: ObjectStorage,
    store: Pick<ObjectsStore, 'sums'>,
    cache: BlockCache,
    log: Pick<Logger, 'warn' | 'info'>,
  ) {
    this.#availability = new StorageAvailability(log);
    this.#storage = storage;
    this.#sums = new KnownSums(store);
    this.#cache = cache;
    this.#residents = new ResidentBlocks(Math.min(maxResidentBlocks, Math.floor(cache.maxBytes / blockBytes / 4)));
  }

  /**
   * Opens a verified block.
   *
   * @throws DamagedBlock, ObjectStorageError, or HttpProblem 503 when the cache's disk is full.
   */
  async open(object: StoredObject, block: number, userId: number): Promise<OpenBlock> {
    const name = this.#nameOf(object, block);
    for (let round = 1; round <= maxRounds; round += 1) {
      const opened = this.#use(name);
      if (opened) return opened;
      await this.#load(object, block, name, userId);
    }
    throw busy();
  }

  /** Begins to read a block that will be needed soon. */
  prefetch(object: StoredObject, block: number, userId: number): void {
    const name = this.#nameOf(object, block);
    const opened = this.#use(name);
    if (opened) opened.release();
    // The error is reported again when the block is opened.
    else this.#load(object, block, name, userId).catch(() => {});
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#running.values()].map(async ({ done }) => done));
    await this.#cache.close();
    this.#storage.close();
  }

  async #load(object: StoredObject, block: number, name: string, userId: number): Promise<void> {
    let work = this.#running.get(name);
    if (!work) {
      work = new SharedWork(() => this.#read(object, block, name).finally(() => this.#running.delete(name)));
      this.#running.set(name, work);
    }
    this.#slots.join(userId, work);
    return work.done;
  }

  async #read(object: StoredObject, block: number, name: string): Promise<void> {
    let buffer: Buffer | null = this.#buffers.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
    const bytes = buffer.subarray(0, lengthOfBlock(object.length, block));
    try {
      const sum = await this.#sums.of(object, block);
      await this.#cache.reopen(name, (handle) => isRight(handle, bytes, sum));
      const opened = this.#cache.use(name);
      if (opened) return opened.release();
      for (let attempt = 1; ; attempt += 1) {
        let found = 0;
        await this.#availability.during(() =>
          this.#storage.read(object.key, block * blockBytes, bytes, this.#stopping.signal, (part) => {
            found = crc32(part, found);
          }),
        );
        if (found >>> 0 === sum) break;
        if (attempt === maxWrongReads) throw new DamagedBlock(object, block);
      }
      if (await this.#keep(object, name, buffer, bytes)) buffer = null;
    } catch (error) {
      throw asProblem(error);
    } finally {
      if (buffer) this.#buffers.push(buffer);
    }
  }

  #use(name: string): OpenBlock | null {
    return this.#residents.use(name) ?? this.#cache.use(name);
  }

  /**
   * Keeps a verified block in memory, and in the cache where it is wanted again.
   *
   * @returns whether the buffer is in use from now on.
   */
  async #keep(object: StoredObject, name: string, buffer: Buffer, bytes: Buffer): Promise<boolean> {
    const freed = this.#residents.add(name, buffer, bytes.length);
    if (freed === 'full') {
      await this.#cache.add(name, bytes);
      return false;
    }
    if (freed) this.#buffers.push(freed);
    const isWanted = object.length <= smallObjectBytes || this.#seen.has(name);
    this.#seen.set(name, true);
    const resident = isWanted ? this.#residents.use(name) : null;
    // Without room on the disk the block is sent from memory all the same.
    if (resident)
      void this.#cache
        .add(name, resident.bytes)
        .catch(() => {})
        .finally(resident.release);
    return true;
  }

  #nameOf({ key }: StoredObject, block: number): string {
    const id = hash('sha256', `${this.#storage.place} ${key}`);
    return `${id.slice(0, 2)}/${id.slice(2, 34)}-${block}`;
  }
}

async function isRight(handle: FileHandle, into: Buffer, sum: number): Promise<boolean> {
  const { bytesRead } = await handle.read(into, 0, into.length, 0);
  return bytesRead === into.length && crc32(into) >>> 0 === sum;
}

function asProblem(error: unknown): unknown {
  if (error instanceof ObjectStorageError) return storageProblem(error);
  return errorCode(error) === 'ENOSPC' ? busy(error) : error;
}

/** The answer to a request that needs the object storage when that fails. */
function storageProblem(error: ObjectStorageError): HttpProblem {
  const text =
    error.failure === 'unreachable'
      ? 'The object storage does not answer. Try again in a moment.'
      : 'The object storage does not give this measurement out. Tell the administrator of this server.';
  return new HttpProblem(503, text, {
    type: 'storage-unavailable',
    headers: { 'retry-after': error.failure === 'unreachable' ? '5' : '60' },
    cause: error,
  });
}

function busy(cause?: unknown): HttpProblem {
  return new HttpProblem(503, 'The server has no room for the blocks of this measurement. Try again in a moment.', {
    headers: { 'retry-after': '5' },
    ...(cause === undefined ? {} : { cause }),
  });
}
