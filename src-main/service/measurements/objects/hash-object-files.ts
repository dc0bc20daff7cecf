import { crc32 } from '@node-rs/crc32';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { localHeaderLength } from '../../../../src-shared/archive/zip-format.ts';
import type { FileOutcome } from '../../files/hash-messages.ts';
import { ObjectStorageError } from '../../object-storage/object-storage.ts';
import { blockBytes } from '../store/block-sums.ts';
import type { FileRow } from '../store/files-store.ts';
import { damagedBlock } from '../storage/file-errors.ts';
import { BlocksInOrder, type ObjectReadDeps } from './blocks-in-order.ts';
import type { StoredObject } from './object-blocks.ts';

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
  for (const row of rows) outcomes.push(await hashObjectFile(blocks, row, pace));
  return outcomes;
}

/**
 * Reads a file of an object and computes its checksums.
 *
 * @param take is called with its bytes in order, up to 4 MiB at a time, before they are known to be
 * right; they change once its promise resolves.
 * @throws ObjectStorageError when the storage cannot be reached or refuses the access key, the
 * signal's reason, or an error of `take`.
 */
export async function hashObjectFile(
  blocks: BlocksInOrder,
  row: FileRow,
  take: (bytes: Buffer) => Promise<void>,
): Promise<FileOutcome> {
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
    await take(bytes);
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
