import type { SqliteConnection } from '../../database/sqlite/sqlite-file.ts';
import type { JournalFile } from '../engine/types.ts';

/** A row of `fetch_files`. */
export interface JournalFileRow {
  readonly idx: number;
  readonly path: string;
  readonly href: string | null;
  readonly length: number | null;
  readonly crc32: number | null;
  readonly sha256: Buffer | null;
  readonly etag: string | null;
  readonly state: JournalFile['state'];
  readonly restarts: number;
}

/** A range of a file that is on disk; `end` is exclusive. */
export interface PieceRow {
  readonly start: number;
  readonly end: number;
}

/** The progress of a fetch. */
export interface Standing {
  readonly filesDone: number;
  readonly bytesDone: number;
  readonly bytesVerified: number;
}

/** Number and total size of waiting files in a range of indices. */
export interface Waiting {
  readonly files: number;
  readonly bytes: number;
}

/** Rows that one `addFiles` statement inserts. */
export const rowsPerStatement = 50;

/** A parameter of `addFiles`; each row has seven. */
export type FileValue = number | string | Uint8Array | null;

/** The INSERT for a number of files. Rows left by an interrupted listing are kept. */
export function addFiles(rows: number): string {
  return `INSERT INTO fetch_files (fetch_id, idx, path, href, length, crc32, sha256, state)
    VALUES ${Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?, ?, 'waiting')").join()} ON CONFLICT (fetch_id, idx) DO NOTHING`;
}

/** Prepares the statements of a journal. */
export function journalStatements(database: SqliteConnection) {
  const columns = 'idx, path, href, length, crc32, sha256, etag, state, restarts';
  const where = 'WHERE fetch_id = ? AND idx = ?';
  return {
    listing: database.prepare<[Buffer | null, number, number | null, number]>(
      'UPDATE fetches SET manifest_digest = ?, files_total = ?, bytes_total = ? WHERE id = ?',
    ),
    addFiles: database.prepare<FileValue[]>(addFiles(rowsPerStatement)),
    file: database.prepare<[number, number], JournalFileRow>(`SELECT ${columns} FROM fetch_files ${where}`),
    // NOT INDEXED: scans in primary key order from where the last page ended.
    openFiles: database.prepare<[number, number, number], JournalFileRow>(
      `SELECT ${columns} FROM fetch_files NOT INDEXED WHERE fetch_id = ? AND idx > ? AND state IN ('waiting', 'partial') ORDER BY idx LIMIT ?`,
    ),
    doneFiles: database.prepare<[number, number, number], JournalFileRow>(
      `SELECT ${columns} FROM fetch_files WHERE fetch_id = ? AND idx > ? AND state = 'done' ORDER BY idx LIMIT ?`,
    ),
    standing: database.prepare<[number], Standing>(
      'SELECT files_done AS filesDone, bytes_done AS bytesDone, bytes_verified AS bytesVerified FROM fetches WHERE id = ?',
    ),
    pieces: database.prepare<[number, number], PieceRow>(`SELECT start, end FROM fetch_pieces ${where} ORDER BY start`),
    pieceBytes: database
      .prepare<[number, number], number>(`SELECT ifnull(sum(end - start), 0) FROM fetch_pieces ${where}`)
      .pluck(),
    takeNeighbours: database.prepare<[number, number, number, number], PieceRow>(
      `DELETE FROM fetch_pieces ${where} AND start <= ? AND end >= ? RETURNING start, end`,
    ),
    addPiece: database.prepare<[number, number, number, number]>(
      'INSERT INTO fetch_pieces (fetch_id, idx, start, end) VALUES (?, ?, ?, ?)',
    ),
    dropPieces: database.prepare<[number, number]>(`DELETE FROM fetch_pieces ${where}`),
    begin: database.prepare<[string | null, number | null, number, number]>(
      `UPDATE fetch_files SET state = 'partial', etag = ?, length = ifnull(?, length), reason = NULL, message = NULL ${where}`,
    ),
    partial: database.prepare<[number, number]>(`UPDATE fetch_files SET state = 'partial' ${where}`),
    restart: database.prepare<[number, number, number]>(
      `UPDATE fetch_files SET state = 'waiting', etag = NULL, restarts = restarts + ?, verified_at = NULL ${where}`,
    ),
    forget: database.prepare<[number, number]>(
      `UPDATE fetch_files SET length = NULL, crc32 = NULL, sha256 = NULL ${where}`,
    ),
    done: database.prepare<[number, number, number, Uint8Array, number, number, number]>(
      `UPDATE fetch_files SET state = 'done', skipped = ?, length = ?, crc32 = ?, sha256 = ?, verified_at = ?, reason = NULL, message = NULL ${where}`,
    ),
    doneAtOnce: database.prepare<[number, number, Uint8Array, number, number, number, number]>(
      `UPDATE fetch_files SET state = 'done', skipped = ?, crc32 = ?, sha256 = ?, verified_at = ? ${where} AND state = 'waiting' AND length = ?`,
    ),
    // NOT INDEXED: scans in primary key order.
    waiting: database.prepare<[number, number, number], Waiting>(
      `SELECT count(*) AS files, ifnull(sum(length), 0) AS bytes FROM fetch_files NOT INDEXED WHERE fetch_id = ? AND idx BETWEEN ? AND ? AND state = 'waiting'`,
    ),
    doneAsListed: database.prepare<[number, number, number, number]>(
      `UPDATE fetch_files SET state = 'done', skipped = 0, verified_at = ? WHERE fetch_id = ? AND idx BETWEEN ? AND ?`,
    ),
    failed: database.prepare<[string, string, number, number]>(
      `UPDATE fetch_files SET state = 'failed', etag = NULL, reason = ?, message = ?, verified_at = NULL ${where}`,
    ),
    countLengths: database.prepare<{ id: number }>(
      `UPDATE fetches SET bytes_total = (SELECT CASE WHEN count(length) = files_total THEN sum(length) END FROM fetch_files WHERE fetch_id = @id)
       WHERE id = @id`,
    ),
    count: database.prepare<[number, number, number, number]>(
      'UPDATE fetches SET bytes_done = bytes_done + ?, bytes_verified = bytes_verified + ?, files_done = files_done + ? WHERE id = ?',
    ),
    log: database.prepare<[number, number, string, string]>(
      'INSERT INTO fetch_log (fetch_id, at, level, message) VALUES (?, ?, ?, ?)',
    ),
    trimLog: database.prepare<{ id: number; kept: number }>(
      `DELETE FROM fetch_log WHERE fetch_id = @id
       AND id <= (SELECT id FROM fetch_log WHERE fetch_id = @id ORDER BY id DESC LIMIT 1 OFFSET @kept)`,
    ),
  };
}
