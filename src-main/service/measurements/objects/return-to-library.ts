import { crc32 } from '@node-rs/crc32';
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { localHeaderLength } from '../../../../src-shared/archive/zip-format.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { FileOutcome, ImportItem } from '../../files/hash-messages.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import { blockBytes } from '../store/block-sums.ts';
import { damagedBlock, ObjectFault } from '../storage/file-errors.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { blockCount, KnownSums, lengthOfBlock } from './block-sums-of-object.ts';
import { objectOf, type StoredObject } from './object-blocks.ts';

export type ReturnDeps = Pick<MeasurementStores, 'files' | 'objects' | 'registrations'> & {
  readonly paths: DataPaths;
  readonly changes: ChangeCounter;
};

const filesPerBatch = 256;

/**
 * Copies the files of a measurement from its object into the library, and has them served from
 * there. The object stays for the grace period.
 *
 * @param owner begins the names of unfinished copies.
 * @param onBytes is called with the bytes that were read from the storage.
 * @throws ObjectFault for bytes that are not as they were stored, ObjectStorageError, the error of a
 * system call, or the signal's reason.
 */
export async function returnToLibrary(
  deps: ReturnDeps,
  storage: ObjectStorage,
  measurement: MeasurementRow,
  {
    thread,
    owner,
    signal,
    onBytes,
  }: {
    readonly thread: HashThread;
    readonly owner: string;
    readonly signal: AbortSignal;
    readonly onBytes: (bytes: number) => void;
  },
): Promise<void> {
  const object = objectOf(measurement);
  if (!object) return;
  const incoming = path.join(deps.paths.library, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const archive = path.join(incoming, `${owner}-${randomUUID()}`);
  try {
    await fetchObject(deps, storage, object, archive, signal, onBytes);
    for (let index = 0; ;) {
      const rows = await deps.files.from(measurement.id, index, filesPerBatch);
      const last = rows.at(-1);
      if (!last) break;
      const items = rows.map((row) => itemOf(archive, row));
      const outcomes = await thread.run({ op: 'take', items, library: deps.paths.library, owner });
      await store(deps, measurement.id, rows, outcomes);
      index = last.idx + 1;
    }
  } finally {
    await rm(archive, { force: true });
  }
  await deps.objects.release(measurement.id, Date.now());
  deps.changes.bump();
}

async function fetchObject(
  deps: ReturnDeps,
  storage: ObjectStorage,
  object: StoredObject,
  target: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const sums = new KnownSums(deps.objects);
  const buffer = Buffer.allocUnsafeSlow(blockBytes);
  const handle = await open(target, 'wx', 0o600);
  try {
    for (let block = 0; block < blockCount(object.length); block += 1) {
      const bytes = buffer.subarray(0, lengthOfBlock(object.length, block));
      await storage.read(object.key, block * blockBytes, bytes, signal);
      if (crc32(bytes) >>> 0 !== (await sums.of(object, block))) {
        const row = await deps.files.atArchiveOffset(object.measurementId, block * blockBytes);
        throw row
          ? new ObjectFault(row, 'unreadable', damagedBlock, 'checksum-mismatch')
          : new ObjectStorageError('bad-answer', damagedBlock);
      }
      await handle.write(bytes, 0, bytes.length, block * blockBytes);
      onBytes(bytes.length);
    }
  } finally {
    await handle.close();
  }
}

function itemOf(archive: string, row: FileRow): ImportItem {
  const { idx: index, length, crc32: sum, mtime_ns: mtimeNs, archive_offset: headerOffset } = row;
  const limit = headerOffset + localHeaderLength(row) + length;
  const place = { headerOffset, packedBytes: length, method: 0, crc32: sum, limit };
  return { index, file: archive, entry: { place, length, mtimeNs } };
}

async function store(
  { registrations }: Pick<MeasurementStores, 'registrations'>,
  id: string,
  rows: readonly FileRow[],
  outcomes: readonly FileOutcome[],
): Promise<void> {
  const found = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  const placed = rows.map((row) => {
    const outcome = found.get(row.idx);
    if (!outcome || 'failed' in outcome || outcome.location === null)
      throw new Error(`${row.path}: ${outcome && 'failed' in outcome ? outcome.reason : 'the disk is full'}`);
    if (outcome.sha256 !== row.sha256.toString('hex')) throw new ObjectFault(row, 'altered', 'its content has changed');
    const { location, mtimeNs, blocks, pieces } = outcome;
    const { idx: index, length, crc32: sum, sha256, registered_at: registeredAt } = row;
    const sums = { crc32: sum, sha256, blocks, pieces, piecesSha256: row.pieces_sha256 };
    return { index, location, length, ...sums, mtimeNs, ctimeNs: null, registeredAt };
  });
  await registrations.readAgain(id, placed);
}
