import type { Database, Transaction } from '../../database/port/database.ts';
import { readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import { pagesOf } from './block-sums.ts';

export interface BlockSumsStore {
  /**
   * Returns the sums of a page of blocks; null for files that were registered before block sums
   * existed and not verified since.
   */
  page(measurementId: string, index: number, page: number): Promise<Uint8Array | null>;
}

const sumsOfPage = readValue<[string, number, number], Buffer>(
  'SELECT sums FROM measurement_blocks WHERE measurement_id = ? AND idx = ? AND page = ?',
);

const clear = write<[string, number]>('DELETE FROM measurement_blocks WHERE measurement_id = ? AND idx = ?');
const insert = write<[string, number, number, Uint8Array]>(
  'INSERT INTO measurement_blocks (measurement_id, idx, page, sums) VALUES (?, ?, ?, ?)',
);

/** Reads the CRC-32 of the blocks of registered files. */
export function blockSumsStore(database: Database): BlockSumsStore {
  return { page: async (measurementId, index, number) => database.one(sumsOfPage, measurementId, index, number) };
}

/** Replaces the block sums of a file within a transaction. */
export function* writeBlockSums(measurementId: string, index: number, blocks: Uint8Array | null): Transaction<void> {
  yield* run(clear, measurementId, index);
  for (const [page, sums] of blocks ? pagesOf(blocks).entries() : [])
    yield* run(insert, measurementId, index, page, sums);
}
