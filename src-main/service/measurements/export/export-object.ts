import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import type { FileOutcome } from '../../files/hash-messages.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import { notAsRegistered, requireTargetName, TargetError, targetErrorOf } from '../file-worker/export-target.ts';
import { blockCount } from '../objects/block-sums-of-object.ts';
import { BlocksInOrder } from '../objects/blocks-in-order.ts';
import { hashObjectFile } from '../objects/hash-object-files.ts';
import { objectOf, type StoredObject } from '../objects/object-blocks.ts';
import { damagedBlock } from '../storage/file-errors.ts';
import { blockBytes } from '../store/block-sums.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';

export type ObjectExportDeps = Pick<MeasurementStores, 'files' | 'objects'> & {
  readonly objectStorage: ObjectStorage | null;
};

/** Copies files of a measurement in the object storage, straight from there and verified. */
export class ObjectExport {
  readonly #deps: ObjectExportDeps;
  readonly #context: WorkContext;
  readonly #object: StoredObject;
  readonly #blocks: BlocksInOrder;

  /** @throws JobFailed in a service without object storage. */
  constructor(deps: ObjectExportDeps, context: WorkContext, object: StoredObject) {
    const { objectStorage: storage, objects } = deps;
    if (!storage) throw new JobFailed('The measurement lies in an object storage that this server is not set up for.');
    [this.#deps, this.#context, this.#object] = [deps, context, object];
    this.#blocks = new BlocksInOrder({ storage, objects }, object, context.signal);
  }

  /**
   * Writes a file with its time, compares its bytes with the registration, and syncs it. A new file
   * that is not right is left to the caller, as when files of a folder are copied.
   *
   * @param onBytes is called with the bytes that were written.
   * @throws JobFailed when the storage is away, the error of a system call, or the signal's reason.
   */
  async copy(row: FileRow, target: string, onBytes: (bytes: number) => void): Promise<FileOutcome> {
    try {
      const handle = await openTarget(target);
      try {
        return await this.#copyInto(row, handle, onBytes);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (error instanceof TargetError) return { index: row.idx, failed: 'unreadable', reason: error.message };
      throw storageFailed(error);
    }
  }

  /** Writes the whole archive, block by verified block. @throws as `copy`, and JobFailed for wrong bytes. */
  async copyArchive(handle: FileHandle, onBytes: (bytes: number) => void): Promise<void> {
    for (let block = 0; block < blockCount(this.#object.length); block += 1) {
      await this.#context.gate();
      const { bytes, isRight } = await this.#blocks.read(block).catch((error: unknown) => {
        throw storageFailed(error);
      });
      if (!isRight) {
        const file = await this.#deps.files.atArchiveOffset(this.#object.measurementId, block * blockBytes);
        throw new JobFailed(`${file?.path ?? this.#object.measurementId}: ${damagedBlock}.`);
      }
      await handle.writeFile(bytes);
      onBytes(bytes.length);
    }
  }

  async #copyInto(row: FileRow, handle: FileHandle, onBytes: (bytes: number) => void): Promise<FileOutcome> {
    const outcome = await hashObjectFile(this.#blocks, row, async (bytes) => {
      await this.#context.gate();
      await handle.writeFile(bytes);
      onBytes(bytes.length);
    });
    if ('failed' in outcome) return outcome;
    if (outcome.crc32 !== row.crc32 || outcome.sha256 !== row.sha256.toString('hex'))
      return { index: row.idx, failed: 'damaged', reason: notAsRegistered };
    const seconds = Math.floor(Number(BigInt(row.mtime_ns) / 1_000_000_000n));
    await handle.utimes(seconds, seconds);
    await handle.sync();
    return outcome;
  }
}

/** The export of a measurement in the object storage; null for one whose files lie in a folder. */
export function objectExportOf(
  deps: ObjectExportDeps,
  context: WorkContext,
  measurement: MeasurementRow,
): ObjectExport | null {
  const object = objectOf(measurement);
  return object && new ObjectExport(deps, context, object);
}

async function openTarget(target: string): Promise<FileHandle> {
  requireTargetName(target);
  try {
    await mkdir(path.dirname(target), { recursive: true });
    return await open(target, 'wx+', 0o644);
  } catch (error) {
    throw targetErrorOf(error);
  }
}

function storageFailed(error: unknown): unknown {
  return error instanceof ObjectStorageError ? new JobFailed(error.message, { cause: error }) : error;
}
