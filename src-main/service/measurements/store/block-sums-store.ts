import type Database from 'better-sqlite3';
import { pagesOf } from './block-sums.ts';

export interface BlockSumsStore {
  /**
   * Returns the sums of a page of blocks; null for files that were registered before block sums
   * existed and not verified since.
   */
  page(measurementId: string, index: number, page: number): Promise<Uint8Array | null>;
}

/** Reads the CRC-32 of the blocks of registered files from SQLite. */
export function blockSumsStore(database: Database.Database): BlockSumsStore {
  const page = database
    .prepare<[string, number, number], Buffer>(
      'SELECT sums FROM measurement_blocks WHERE measurement_id = ? AND idx = ? AND page = ?',
    )
    .pluck();
  return { page: async (measurementId, index, number) => page.get(measurementId, index, number) ?? null };
}

/** Returns a function that replaces the block sums of a file; call it within a transaction. */
export function blockSumsWriter(
  database: Database.Database,
): (measurementId: string, index: number, blocks: Uint8Array | null) => void {
  const clear = database.prepare<[string, number]>(
    'DELETE FROM measurement_blocks WHERE measurement_id = ? AND idx = ?',
  );
  const insert = database.prepare<[string, number, number, Uint8Array]>(
    'INSERT INTO measurement_blocks (measurement_id, idx, page, sums) VALUES (?, ?, ?, ?)',
  );
  return (measurementId, index, blocks) => {
    clear.run(measurementId, index);
    for (const [page, sums] of blocks ? pagesOf(blocks).entries() : []) insert.run(measurementId, index, page, sums);
  };
}
