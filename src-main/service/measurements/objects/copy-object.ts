import { copyUnchecked } from '../content/copy-file.ts';
import type { ResponseWriter } from '../content/response-writer.ts';
import { damagedBlock, ObjectFault } from '../storage/file-errors.ts';
import type { SyncIoPolicy } from '../storage/sync-io-policy.ts';
import { blockBytes } from '../store/block-sums.ts';
import type { FilesStore, FileRow } from '../store/files-store.ts';
import { DamagedBlock, type ObjectBlocks, type StoredObject } from './object-blocks.ts';

/** An object in the storage, with the cache and the user for whom its bytes are read. */
export interface ObjectSource {
  readonly object: StoredObject;
  readonly blocks: ObjectBlocks;
  readonly syncIo: SyncIoPolicy;
  readonly files: Pick<FilesStore, 'atArchiveOffset'>;
  /** User who downloads. */
  readonly userId: number;
}

const blocksAhead = 3;

/**
 * Writes the bytes of an object from `start` to `end` into a body. Each block was verified before,
 * and the next ones are read meanwhile.
 *
 * @param file the one whose bytes these are; null for the archive.
 * @throws FileFault when a block is not as it was stored, or HttpProblem 503.
 */
export async function copyObject(
  writer: ResponseWriter,
  source: ObjectSource,
  file: Pick<FileRow, 'idx' | 'path'> | null,
  start: number,
  end: number,
): Promise<void> {
  if (start === end) return;
  const { object, blocks, syncIo, userId } = source;
  const last = Math.floor((end - 1) / blockBytes);
  for (let block = Math.floor(start / blockBytes); block <= last; block += 1) {
    for (let next = block + 1; next <= Math.min(block + blocksAhead, last); next += 1)
      blocks.prefetch(object, next, userId);
    const first = block * blockBytes;
    const [from, to] = [Math.max(start - first, 0), Math.min(end - first, blockBytes)];
    const opened = await openFor(source, file, block);
    try {
      if ('bytes' in opened) await writer.putShared(opened.bytes.subarray(from, to));
      else if ((await copyUnchecked(writer, { fd: opened.fd, syncIo }, from, to)) < to)
        throw new Error(`block ${block} of ${object.key} ends early in the cache`);
    } finally {
      opened.release();
    }
  }
}

async function openFor(
  { object, blocks, files, userId }: ObjectSource,
  file: Pick<FileRow, 'idx' | 'path'> | null,
  block: number,
) {
  try {
    return await blocks.open(object, block, userId);
  } catch (error) {
    if (!(error instanceof DamagedBlock)) throw error;
    const named = file ?? (await files.atArchiveOffset(object.measurementId, error.position));
    throw named ? damaged(named) : error;
  }
}

function damaged(file: Pick<FileRow, 'idx' | 'path'>): ObjectFault {
  return new ObjectFault(file, 'unreadable', damagedBlock, 'checksum-mismatch');
}
