import type { Counters, StorageOperation } from '../metrics/counters.ts';
import { ObjectStorageError, type ObjectStorage } from '../object-storage/object-storage.ts';

/** Counts operations on an object storage, how they end and how long they take. */
export function countStorage(storage: ObjectStorage, counters: Counters): ObjectStorage {
  const counted = async <Result>(
    operation: StorageOperation,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const began = performance.now();
    let outcome = 'done';
    try {
      return await work();
    } catch (error) {
      outcome = outcomeOf(error, signal);
      throw error;
    } finally {
      counters.add('storage_operations', [operation, outcome]);
      counters.add('storage_seconds', [operation], (performance.now() - began) / 1000);
    }
  };
  return {
    place: storage.place,
    put: async (key, length, fill, signal) => {
      await counted('put', signal, async () => storage.put(key, length, fill, signal));
      counters.add('storage_bytes', ['put'], length);
    },
    read: async (key, position, into, signal, onBytes) => {
      await counted('read', signal, async () => storage.read(key, position, into, signal, onBytes));
      counters.add('storage_bytes', ['read'], into.length);
    },
    putWhole: async (key, body, sha256, signal) => {
      await counted('put', signal, async () => storage.putWhole(key, body, sha256, signal));
      counters.add('storage_bytes', ['put'], body.length);
    },
    beginParts: async (key, signal) => counted('put', signal, async () => storage.beginParts(key, signal)),
    putPart: async (part, signal) => {
      const etag = await counted('put', signal, async () => storage.putPart(part, signal));
      counters.add('storage_bytes', ['put'], part.body.length);
      return etag;
    },
    completeParts: async (object, etags, signal) =>
      counted('put', signal, async () => storage.completeParts(object, etags, signal)),
    endParts: async (key, uploadId, signal) =>
      counted('remove', signal, async () => storage.endParts(key, uploadId, signal)),
    lengthOf: async (key, signal) => counted('length', signal, async () => storage.lengthOf(key, signal)),
    remove: async (key, signal) => counted('remove', signal, async () => storage.remove(key, signal)),
    endUploads: async (key, signal) => counted('remove', signal, async () => storage.endUploads(key, signal)),
    list: async (prefix, after, limit, signal) =>
      counted('list', signal, async () => storage.list(prefix, after, limit, signal)),
    close: () => storage.close(),
  };
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ObjectStorageError) return error.failure;
  return signal.aborted ? 'canceled' : 'failed';
}
