import type { Database, Transaction } from '../../database/port/database.ts';
import { readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import { hashBytes, piecesPerPage } from './piece-hashes.ts';

export interface PiecesStore {
  /**
   * Returns the hashes of a page of pieces, 32 bytes each; null for files that were registered before
   * pieces were hashed and not verified since, and for files of one piece.
   */
  page(measurementId: string, index: number, page: number): Promise<Uint8Array | null>;
}

const hashesOfPage = readValue<[string, number, number], Buffer>(
  'SELECT hashes FROM measurement_pieces WHERE measurement_id = ? AND idx = ? AND page = ?',
);
const clear = write<[string, number]>('DELETE FROM measurement_pieces WHERE measurement_id = ? AND idx = ?');
const insert = write<[string, number, number, Uint8Array]>(
  'INSERT INTO measurement_pieces (measurement_id, idx, page, hashes) VALUES (?, ?, ?, ?)',
);

/** Reads the SHA-256 of the pieces of registered files. */
export function piecesStore(database: Database): PiecesStore {
  return { page: async (measurementId, index, page) => database.one(hashesOfPage, measurementId, index, page) };
}

/** Replaces the hashes of the pieces of a file within a transaction. */
export function* writePieces(measurementId: string, index: number, hashes: Uint8Array | null): Transaction<void> {
  yield* run(clear, measurementId, index);
  const bytes = piecesPerPage * hashBytes;
  for (let page = 0; page * bytes < (hashes?.length ?? 0); page += 1)
    yield* run(
      insert,
      measurementId,
      index,
      page,
      (hashes ?? new Uint8Array()).subarray(page * bytes, (page + 1) * bytes),
    );
}
