import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from '@node-rs/crc32';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import { blockBytes } from '../store/block-sums.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { ArchiveParts } from './archive-part.ts';
import { blockCount, lengthOfBlock, ObjectSums } from './block-sums-of-object.ts';
import { writeDescription } from './object-description.ts';
import { descriptionKeyOf, objectKeyOf, removedKeyOf } from './object-key.ts';

export type StoreObjectDeps = Pick<MeasurementStores, 'files' | 'blockSums' | 'objects'> &
  Pick<AccountStores, 'users'> & { readonly paths: DataPaths; readonly changes: ChangeCounter };

const rowsPerSlice = 500;

/**
 * Puts the archive of a measurement from its folder into the object storage, reads all of it back
 * and compares it, and has it served from there. What an interrupted call has put is not sent again.
 * The files in the library stay until {@link leaveLibrary}.
 *
 * @param onBytes is called with the bytes that were put or read back, twice the archive's unless
 * something is put again.
 * @returns false when the measurement was removed meanwhile.
 * @throws FileFault for a file that is not as registered, ObjectStorageError, or the signal's reason.
 */
export async function storeObject(
  deps: StoreObjectDeps,
  storage: ObjectStorage,
  measurement: MeasurementRow,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => {},
): Promise<boolean> {
  const key = objectKeyOf(measurement);
  const length = measurement.archive_bytes;
  const sums = new ObjectSums(length);
  const parts = new ArchiveParts(deps, measurement);
  await deps.objects.announce({ object_key: key, measurement_id: measurement.id, length }, Date.now());
  const put = async (part: Buffer, position: number) => {
    signal.throwIfAborted();
    await parts.fill(part, position);
    sums.add(part, position);
    onBytes(part.length);
  };
  // Complete already, when a kill came before the rows; reading it back tells whether it is right.
  const isThere = length > blockBytes && (await storage.lengthOf(key, signal)) === length;
  if (isThere) await inBlocks(length, put);
  else await storage.put(key, length, put, signal);
  try {
    await readBack(storage, key, length, sums, signal, onBytes);
  } catch (error) {
    if (!isThere || !(error instanceof ObjectStorageError) || error.failure !== 'bad-answer') throw error;
    await storage.put(key, length, put, signal);
    await readBack(storage, key, length, sums, signal, onBytes);
  }
  return assignObject(deps, storage, measurement, sums.bytes, signal);
}

/**
 * Puts the description of a measurement beside its archive, whose bytes were compared, and has it
 * served from there. The object was announced before.
 *
 * @param sums of its blocks, as {@link ObjectSums} has them.
 * @returns false when the measurement was removed meanwhile.
 * @throws ObjectStorageError, or the signal's reason.
 */
export async function assignObject(
  deps: StoreObjectDeps,
  storage: ObjectStorage,
  measurement: MeasurementRow,
  sums: Uint8Array,
  signal: AbortSignal,
): Promise<boolean> {
  const key = objectKeyOf(measurement);
  await putDescription(deps, storage, measurement, key, sums, signal);
  // A removed measurement with the same bytes left its mark at this key.
  await storage.remove(removedKeyOf(key), signal);
  if (!(await deps.objects.assign(measurement.id, key, sums))) return false;
  deps.changes.bump();
  return true;
}

/** Removes the files of a measurement from the library, now that an object holds them. */
export async function leaveLibrary(
  { objects, paths }: { readonly objects: MeasurementStores['objects']; readonly paths: DataPaths },
  measurementId: string,
): Promise<void> {
  const remove = (location: string): void => rmSync(path.join(paths.library, location), { force: true });
  while (await objects.leaveLibrary(measurementId, rowsPerSlice, remove)) await new Promise(setImmediate);
}

/** @throws ObjectStorageError when the storage has other bytes than were sent. */
async function readBack(
  storage: ObjectStorage,
  key: string,
  length: number,
  sums: ObjectSums,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const expected = Buffer.from(sums.bytes);
  await inBlocks(length, async (bytes, position) => {
    await storage.read(key, position, bytes, signal);
    if (crc32(bytes) >>> 0 !== expected.readUInt32LE((position / blockBytes) * 4))
      throw new ObjectStorageError('bad-answer', `${storage.place} returns other bytes than it was sent.`);
    onBytes(bytes.length);
  });
}

/** Goes through an archive in blocks of 4 MiB, with one buffer for all. */
async function inBlocks(length: number, act: (block: Buffer, position: number) => Promise<void>): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(blockBytes, length));
  for (let block = 0; block < blockCount(length); block += 1) {
    await act(buffer.subarray(0, lengthOfBlock(length, block)), block * blockBytes);
    await new Promise(setImmediate);
  }
}

async function putDescription(
  deps: StoreObjectDeps,
  storage: ObjectStorage,
  measurement: MeasurementRow,
  key: string,
  sums: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(deps.paths.staging, { recursive: true, mode: 0o700 });
  const file = path.join(deps.paths.staging, `object-${randomUUID()}.json`);
  const owner = (await deps.users.byId(measurement.owner_id))?.username ?? '';
  try {
    await writeDescription(deps, measurement, owner, sums, file);
    const handle = await open(file);
    try {
      const fill = async (part: Buffer, position: number) => void (await handle.read(part, 0, part.length, position));
      await storage.put(descriptionKeyOf(key), (await handle.stat()).size, fill, signal);
    } finally {
      await handle.close();
    }
  } finally {
    await rm(file, { force: true });
  }
}
