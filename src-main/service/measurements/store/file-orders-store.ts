import { DiskSorter, type SortKey } from '../../database/disk-sorter.ts';
import { inSteps } from '../../database/in-steps.ts';
import type { Database, Transaction } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import { naturalKey, treeKey } from './natural-key.ts';

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
  count(measurementId: string): Promise<number>;
  /** Returns the file indexes at some positions of a stored order. */
  indexesAt(measurementId: string, order: FileOrder, first: number, count: number): Promise<readonly number[]>;
}

type KeyedFile = { readonly idx: number; readonly path: string; readonly length: number };

const blockLength = 256;
const filesPerStep = 500;

const keyOf: Readonly<Record<FileOrder, (file: KeyedFile) => string>> = {
  path: ({ path }) => treeKey(path),
  // Number.MAX_SAFE_INTEGER has 16 digits.
  size: ({ path, length }) => String(length).padStart(16, '0') + naturalKey(path),
};

const lastIndex = readValue<[string], number | null>('SELECT max(idx) FROM measurement_files WHERE measurement_id = ?');
const blocks = read<[string, string, number, number], { block: number; indexes: Buffer }>(
  'SELECT block, indexes FROM file_orders WHERE measurement_id = ? AND sort = ? AND block BETWEEN ? AND ?',
);
const hasBlock = readValue<[string, string, number], number>(
  'SELECT 1 FROM file_orders WHERE measurement_id = ? AND sort = ? AND block = ?',
);
const registered = readValue<[string], number>(
  `SELECT created_at FROM measurements WHERE id = ? AND state <> 'registering'`,
);
const files = read<[string, number, number], KeyedFile>(
  'SELECT idx, path, length FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ?',
);
const writeBlock = write<[string, string, number, Buffer]>(
  `INSERT INTO file_orders (measurement_id, sort, block, indexes) VALUES (?, ?, ?, ?)
   ON CONFLICT (measurement_id, sort, block) DO UPDATE SET indexes = excluded.indexes`,
);

/**
 * Stores sort orders of measurements' files. The files of a measurement never change, so each order
 * is computed once, on first use.
 */
export function fileOrdersStore(database: Database): FileOrdersStore {
  let last: Promise<unknown> = Promise.resolve();
  const count = async (measurementId: string): Promise<number> =>
    ((await database.one(lastIndex, measurementId)) ?? -1) + 1;
  // Blocks are written in order, so the last one implies all.
  const isMade = async (measurementId: string, order: FileOrder): Promise<boolean> => {
    const length = await count(measurementId);
    const lastBlock = Math.ceil(length / blockLength) - 1;
    return length === 0 || (await database.one(hasBlock, measurementId, order, lastBlock)) !== null;
  };

  return {
    make: async (measurementId, order) => {
      if (await isMade(measurementId, order)) return true;
      const made = last.then(
        async () => (await isMade(measurementId, order)) || makeOrder(database, measurementId, order),
      );
      last = made.catch(() => undefined);
      return made;
    },
    count,
    indexesAt: async (measurementId, order, first, wanted) => {
      const firstBlock = Math.floor(first / blockLength);
      const lastBlock = Math.floor((first + wanted - 1) / blockLength);
      const indexes = new Map<number, number>();
      for (const { block, indexes: packed } of await database.all(
        blocks,
        measurementId,
        order,
        firstBlock,
        lastBlock,
      )) {
        for (let at = 0; at < packed.length / 4; at += 1)
          indexes.set(block * blockLength + at, packed.readUInt32LE(at * 4));
      }
      return Array.from({ length: wanted }, (_, at) => indexes.get(first + at)).filter((index) => index !== undefined);
    },
  };
}

async function makeOrder(database: Database, measurementId: string, order: FileOrder): Promise<boolean> {
  const createdAt = await database.one(registered, measurementId);
  if (createdAt === null) return false;
  const sorter = new DiskSorter();
  try {
    await addKeys(database, sorter, measurementId, order);
    return await writeOrder(database, sorter, { measurementId, order, createdAt });
  } finally {
    sorter.close();
  }
}

async function addKeys(database: Database, sorter: DiskSorter, measurementId: string, order: FileOrder): Promise<void> {
  let from = 0;
  await inSteps(database.steps, filesPerStep, async (size) => {
    const some = await database.all(files, measurementId, from, from + size - 1);
    sorter.add(some.map((file) => ({ key: keyOf[order](file), id: file.idx })));
    from += size;
    return some.length > 0;
  });
}

interface OrderId {
  readonly measurementId: string;
  readonly order: FileOrder;
  /** Of the measurement, which may be removed and registered again. */
  readonly createdAt: number;
}

/** @returns false when the measurement was removed. */
async function writeOrder(database: Database, sorter: DiskSorter, id: OrderId): Promise<boolean> {
  let last: SortKey | null = null;
  let block = 0;
  let written = true;
  await inSteps(database.steps, filesPerStep, async (size) => {
    const together = Math.ceil(size / blockLength);
    const keys: readonly SortKey[] = sorter.after(last, together * blockLength);
    last = keys.at(-1) ?? last;
    const first = block;
    // Reproducible, so that the commit need not wait for the disk.
    if (keys.length > 0) written = await database.relaxed(() => writeBlocks(id, first, keys));
    block += together;
    return written && keys.length === together * blockLength;
  });
  return written;
}

function* writeBlocks(
  { measurementId, order, createdAt }: OrderId,
  first: number,
  keys: readonly SortKey[],
): Transaction<boolean> {
  if ((yield* one(registered, measurementId)) !== createdAt) return false;
  for (let at = 0; at < keys.length; at += blockLength) {
    const indexes = Uint32Array.from(keys.slice(at, at + blockLength), ({ id }) => id);
    yield* run(writeBlock, measurementId, order, first + at / blockLength, littleEndian(indexes));
  }
  return true;
}

function littleEndian(indexes: Uint32Array): Buffer {
  const packed = Buffer.alloc(indexes.length * 4);
  for (const [at, index] of indexes.entries()) packed.writeUInt32LE(index, at * 4);
  return packed;
}
