import type { ListedObject, ObjectStorage } from '../../../object-storage/object-storage.ts';
import type { MeasurementStores } from '../../store/stores.ts';
import { removeObjectsOf, uploadsPrefix } from './upload-objects.ts';

const keysPerList = 1000;
const idLength = 32;

/**
 * Removes what the object storage has of uploads that nobody knows, because the database was set back,
 * once nothing came to them since a time.
 *
 * @returns how many uploads.
 * @throws ObjectStorageError, or the signal's reason.
 */
export async function removeLostUploads(
  { uploads }: Pick<MeasurementStores, 'uploads'>,
  storage: ObjectStorage,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const [id, latest] of latestById(storage, signal)) {
    if (latest >= before || (await uploads.byId(id)) !== null) continue;
    await removeObjectsOf(storage, id, signal);
    removed += 1;
  }
  return removed;
}

/** The ids of all uploads that have objects, in order, and when the last object of each was put. */
async function* latestById(storage: ObjectStorage, signal: AbortSignal): AsyncGenerator<readonly [string, number]> {
  let current: readonly [string, number] | null = null;
  for await (const { key, modifiedAt } of listed(storage, signal)) {
    const id = key.slice(uploadsPrefix.length, uploadsPrefix.length + idLength);
    // An object whose time is not known is kept, and so is its upload.
    const at = modifiedAt ?? Infinity;
    if (current !== null && current[0] !== id) yield current;
    current = [id, current !== null && current[0] === id ? Math.max(current[1], at) : at];
  }
  if (current !== null) yield current;
}

async function* listed(storage: ObjectStorage, signal: AbortSignal): AsyncGenerator<ListedObject> {
  for (let after = ''; ;) {
    const some = await storage.list(uploadsPrefix, after, keysPerList, signal);
    yield* some;
    if (some.length < keysPerList) return;
    after = some.at(-1)?.key ?? '';
  }
}
