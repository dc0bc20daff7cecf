import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { removedKeyOf } from '../objects/object-key.ts';
import type { RemovedRow } from './store/removed-rows.ts';
import type { RemovedStores } from './store/stores.ts';

/** Increment with any change that an older version cannot read. */
const markVersion = 1;

/**
 * Says in the object storage that a measurement was removed, so that it is not added again after a
 * loss of the database. A mark of one that is restored meanwhile is taken away again.
 *
 * @throws ObjectStorageError, or the signal's reason.
 */
export async function markRemoved(
  { removed }: RemovedStores,
  storage: ObjectStorage,
  row: RemovedRow,
  signal: AbortSignal,
): Promise<void> {
  const { object_key: key } = row;
  // A measurement with the same bytes, registered since the removal, has the same key.
  if (key === null || (await removed.isObjectUsed(key))) return;
  const text = { benchport: markVersion, id: row.measurement_id, removedAt: row.removed_at };
  const bytes = Buffer.from(`${JSON.stringify(text)}\n`);
  const fill = async (part: Buffer, position: number): Promise<void> =>
    void bytes.copy(part, 0, position, position + part.length);
  await storage.put(removedKeyOf(key), bytes.length, fill, signal);
  if (!(await removed.setMarked(row.id, true)) || (await removed.isObjectUsed(key)))
    await storage.remove(removedKeyOf(key), signal);
}

/** Takes the mark away, before the measurement is there again. @throws ObjectStorageError, or the signal's reason. */
export async function unmarkRemoved(
  { removed }: RemovedStores,
  storage: ObjectStorage,
  row: RemovedRow,
  signal: AbortSignal,
): Promise<void> {
  if (row.object_key === null) return;
  await removed.setMarked(row.id, false);
  await storage.remove(removedKeyOf(row.object_key), signal);
}
