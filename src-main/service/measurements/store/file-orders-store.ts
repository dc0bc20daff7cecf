import type Database from 'better-sqlite3';
import { inSteps } from '../../database/in-steps.ts';
import { insertRows } from '../../database/insert-rows.ts';
import { naturalKey } from './natural-key.ts';

export type FileOrder = 'path' | 'size';

export interface FileOrdersStore {
  /**
   * Computes the order of a measurement's files in steps, unless it is stored. Orders are computed
   * one at a time, so that several do not block the event loop together.
   *
   * @returns false when the measurement is incomplete or was removed meanwhile.
   */
  make(measurementId: string, order: FileOrder): Promise<boolean>;
  /** Returns the number of files of the measurement. */
  count(measurementId: string): number;
  /** Returns the file indexes at some positions of a stored order. */
  indexesAt(measurementId: string, order: FileOrder, first: number, count: number): readonly number[];
}

type KeyedFile = { readonly idx: number; readonly path: string; readonly length: number };
type Key = { readonly key: string; readonly idx: number };

const blockLength = 256;
const filesPerStep = 500;
const beforeAllKeys: Key = { key: '', idx: -1 };

const keyOf: Readonly<Record<FileOrder, (file: KeyedFile) => string>> = {
  path: ({ path }) => naturalKey(path),
  // Number.MAX_SAFE_INTEGER has 16 digits.
  size: ({ path, length }) => String(length).padStart(16, '0') + naturalKey(path),
};

/**
 * Stores sort orders of measurements' files in SQLite. The files of a measurement never change, so
 * each order is computed once, on first use.
 */
export function fileOrdersStore(database: Database.Database): FileOrdersStore {
  const lastIndex = database
    .prepare<[string], number | null>('SELECT max(idx) FROM measurement_files WHERE measurement_id = ?')
    .pluck();
  const blocks = database.prepare<[string, string, number, number], { block: number; indexes: Buffer }>(
    'SELECT block, indexes FROM file_orders WHERE measurement_id = ? AND sort = ? AND block BETWEEN ? AND ?',
  );
  const hasBlock = database.prepare<[string, string, number]>(
    'SELECT 1 FROM file_orders WHERE measurement_id = ? AND sort = ? AND block = ?',
  );
  const maker = orderMaker(database);
  let last: Promise<unknown> = Promise.resolve();
  const count = (measurementId: string): number => (lastIndex.get(measurementId) ?? -1) + 1;
  // Blocks are written in order, so the last one implies all.
  const isMade = (measurementId: string, order: FileOrder): boolean => {
    const files = count(measurementId);
    return files === 0 || hasBlock.get(measurementId, order, Math.ceil(files / blockLength) - 1) !== undefined;
  };

  return {
    make: async (measurementId, order) => {
      if (isMade(measurementId, order)) return true;
      const made = last.then(() => isMade(measurementId, order) || maker(measurementId, order));
      last = made.catch(() => undefined);
      return made;
    },
    count,
    indexesAt: (measurementId, order, first, wanted) => {
      const firstBlock = Math.floor(first / blockLength);
      const indexes = new Map<number, number>();
      for (const { block, indexes: packed } of blocks.all(
        measurementId,
        order,
        firstBlock,
        Math.floor((first + wanted - 1) / blockLength),
      )) {
        for (let at = 0; at < packed.length / 4; at += 1)
          indexes.set(block * blockLength + at, packed.readUInt32LE(at * 4));
      }
      return Array.from({ length: wanted }, (_, at) => indexes.get(first + at)).filter((index) => index !== undefined);
    },
  };
}

/** Sorts in a temporary table, which may exceed memory and disappears with the process. */
function orderMaker(database: Database.Database): (measurementId: string, order: FileOrder) => Promise<boolean> {
  database.exec(
    'CREATE TEMP TABLE IF NOT EXISTS file_sort_keys (key TEXT NOT NULL, idx INTEGER NOT NULL, PRIMARY KEY (key, idx)) STRICT, WITHOUT ROWID',
  );
  const registered = database
    .prepare<[string], number>(`SELECT created_at FROM measurements WHERE id = ? AND state <> 'registering'`)
    .pluck();
  const files = database.prepare<[string, number, number], KeyedFile>(
    'SELECT idx, path, length FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ?',
  );
  const addKeys = database.transaction(insertRows(database, 'INSERT INTO temp.file_sort_keys (key, idx)', 2));
  const sorted = database.prepare<[Key & { limit: number }], Key>(
    'SELECT key, idx FROM temp.file_sort_keys WHERE (key, idx) > (@key, @idx) ORDER BY key, idx LIMIT @limit',
  );
  const clear = database.prepare('DELETE FROM temp.file_sort_keys');
  const write = database.prepare<[string, string, number, Buffer]>(
    'INSERT OR REPLACE INTO file_orders (measurement_id, sort, block, indexes) VALUES (?, ?, ?, ?)',
  );
  const writeBlocks = database.transaction(
    (measurementId: string, order: FileOrder, createdAt: number, first: number, keys: readonly Key[]): boolean => {
      // The measurement was removed, and possibly registered again.
      if (registered.get(measurementId) !== createdAt) return false;
      for (let at = 0; at < keys.length; at += blockLength) {
        const indexes = Uint32Array.from(keys.slice(at, at + blockLength), ({ idx }) => idx);
        write.run(measurementId, order, first + at / blockLength, littleEndian(indexes));
      }
      return true;
    },
  );

  async function writeKeys(measurementId: string, order: FileOrder): Promise<void> {
    let from = 0;
    await inSteps(filesPerStep, async (size) => {
      const some = files.all(measurementId, from, from + size - 1);
      addKeys(some.map((file) => [keyOf[order](file), file.idx]));
      from += size;
      return some.length > 0;
    });
  }

  async function writeOrder(measurementId: string, order: FileOrder, createdAt: number): Promise<boolean> {
    let after = beforeAllKeys;
    let block = 0;
    let written = true;
    await inSteps(filesPerStep, async (size) => {
      const together = Math.ceil(size / blockLength);
      const keys = sorted.all({ ...after, limit: together * blockLength });
      after = keys.at(-1) ?? after;
      if (keys.length > 0)
        written = withoutWaiting(database, () => writeBlocks.immediate(measurementId, order, createdAt, block, keys));
      block += together;
      return written && keys.length === together * blockLength;
    });
    return written;
  }

  return async (measurementId, order) => {
    const createdAt = registered.get(measurementId);
    if (createdAt === undefined) return false;
    clear.run();
    try {
      await writeKeys(measurementId, order);
      return await writeOrder(measurementId, order, createdAt);
    } finally {
      clear.run();
    }
  };
}

function littleEndian(indexes: Uint32Array): Buffer {
  const packed = Buffer.alloc(indexes.length * 4);
  for (const [at, index] of indexes.entries()) packed.writeUInt32LE(index, at * 4);
  return packed;
}

/** Writes reproducible data without an fsync (SQLite, "PRAGMA synchronous"). */
function withoutWaiting<T>(database: Database.Database, write: () => T): T {
  database.pragma('synchronous = NORMAL');
  try {
    return write();
  } finally {
    database.pragma('synchronous = FULL');
  }
}
