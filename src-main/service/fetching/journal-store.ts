import type Database from 'better-sqlite3';
import type { GroupCommit } from '../database/group-commit.ts';
import { slices } from './slices.ts';
import type { Journal, JournalChange, JournalFile, Piece } from './engine/types.ts';

interface FileRow {
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

interface PieceRow {
  readonly start: number;
  readonly end: number;
}

interface Standing {
  readonly filesDone: number;
  readonly bytesDone: number;
  readonly bytesVerified: number;
}

interface Waiting {
  readonly files: number;
  readonly bytes: number;
}

/** What a change adds to the counters of its fetch. */
interface Gain {
  readonly bytes: number;
  readonly verified: number;
  readonly files: number;
}

const nothing: Gain = { bytes: 0, verified: 0, files: 0 };
// Longer transactions would hold the event loop.
const filesAtOnce = 1000;
const rowsAtOnce = 50;
const keptLines = 500;

/**
 * What is on disk of what is fetched, in SQLite: in the service's database, or in one of its own with the tables of `fetchTables`. A fetch's
 * counters change in the transaction that changes its files, so that they are equal to them whatever kills the process.
 */
export function journalStore(database: Database.Database, commits: GroupCommit): Journal {
  const sql = statements(database);

  function fileOf(fetchId: number, index: number): FileRow {
    const row = sql.file.get(fetchId, index);
    if (!row) throw new Error(`fetch ${fetchId} has no file ${index}`);
    return row;
  }

  const onDisk = (fetchId: number, index: number) => sql.pieceBytes.get(fetchId, index) ?? 0;

  function addPiece(fetchId: number, index: number, [start, end]: Piece): number {
    if (!(start >= 0 && end > start)) throw new Error(`${start} to ${end} is no piece`);
    let [first, last, known] = [start, end, 0];
    for (const row of sql.takeNeighbours.all(fetchId, index, end, start)) {
      first = Math.min(first, row.start);
      last = Math.max(last, row.end);
      known += row.end - row.start;
    }
    sql.addPiece.run(fetchId, index, first, last);
    return last - first - known;
  }

  /** Takes a file back to what it was before its first byte. @returns what is lost. */
  function empty(fetchId: number, row: FileRow): Gain {
    // Pieces make a file partial, so that nearly all small files never have any.
    if (row.state === 'waiting') return nothing;
    const lost = row.state === 'done' ? (row.length ?? 0) : onDisk(fetchId, row.idx);
    sql.dropPieces.run(fetchId, row.idx);
    return row.state === 'done' ? { bytes: -lost, verified: -lost, files: -1 } : { bytes: -lost, verified: 0, files: 0 };
  }

  function apply(fetchId: number, change: JournalChange): Gain {
    if (change.kind === 'done') {
      // Nearly all of them: what was not begun before is done at once.
      const { index, skipped, length, crc32, sha256 } = change;
      const { changes } = sql.doneAtOnce.run(skipped ? 1 : 0, crc32, sha256, Date.now(), fetchId, index, length);
      if (changes === 1) return { bytes: length, verified: length, files: 1 };
    }
    if (change.kind === 'as-listed') return asListed(fetchId, change.first, change.last);
    const row = fileOf(fetchId, change.index);
    switch (change.kind) {
      case 'begin': {
        // What was done is not any more.
        const lost = row.state === 'done' ? empty(fetchId, row) : nothing;
        sql.begin.run(change.etag, change.length, fetchId, change.index);
        if (change.length !== null && change.length !== row.length) sql.countLengths.run({ id: fetchId });
        return lost;
      }
      case 'pieces': {
        const lost = row.state === 'done' ? empty(fetchId, row) : nothing;
        const bytes = change.pieces.reduce((sum, piece) => sum + addPiece(fetchId, change.index, piece), 0);
        sql.partial.run(fetchId, change.index);
        return { ...lost, bytes: lost.bytes + bytes };
      }
      case 'restart': {
        const lost = empty(fetchId, row);
        sql.restart.run(change.counts ? 1 : 0, fetchId, change.index);
        return lost;
      }
      case 'done': {
        const before = empty(fetchId, row);
        sql.done.run(change.skipped ? 1 : 0, change.length, change.crc32, change.sha256, Date.now(), fetchId, change.index);
        if (row.length !== change.length) sql.countLengths.run({ id: fetchId });
        return { bytes: before.bytes + change.length, verified: before.verified + change.length, files: before.files + 1 };
      }
      case 'failed': {
        const lost = empty(fetchId, row);
        sql.failed.run(change.reason, change.message, fetchId, change.index);
        return lost;
      }
    }
  }

  /** A statement for each costs three times as much, and small files come by the thousand. */
  function asListed(fetchId: number, first: number, last: number): Gain {
    const waiting = sql.waiting.get(fetchId, first, last);
    if (waiting?.files === last - first + 1) {
      sql.doneAsListed.run(Date.now(), fetchId, first, last);
      return { bytes: waiting.bytes, verified: waiting.bytes, files: waiting.files };
    }
    // Some had pieces on disk.
    let sum = nothing;
    for (let index = first; index <= last; index += 1) {
      const { length, crc32, sha256 } = fileOf(fetchId, index);
      if (length === null || crc32 === null || sha256 === null) throw new Error(`fetch ${fetchId} lists no checksums of file ${index}`);
      sum = both(sum, apply(fetchId, { kind: 'done', index, skipped: false, length, crc32, sha256 }));
    }
    return sum;
  }

  return {
    begin: async (fetchId, { manifestDigest, filesTotal, bytesTotal }) =>
      commits.run(() => void sql.listing.run(manifestDigest && Buffer.from(manifestDigest), filesTotal, bytesTotal, fetchId)),
    addFiles: async (fetchId, files) => {
      for (const some of slices(files, filesAtOnce)) {
        await commits.run(() => {
          // A call for each row costs as much as the row.
          for (const rows of slices(some, rowsAtOnce)) {
            const values = rows.flatMap(({ index, path, href, length, crc32, sha256 }) => [fetchId, index, path, href, length, crc32, sha256]);
            (rows.length === rowsAtOnce ? sql.addFiles : database.prepare<FileValue[]>(addFiles(rows.length))).run(...values);
          }
        });
      }
    },
    openFiles: async (fetchId, after, limit) => sql.openFiles.all(fetchId, after, limit).map(journalFile),
    doneFiles: async (fetchId, after, limit) => sql.doneFiles.all(fetchId, after, limit).map(journalFile),
    standing: async (fetchId) => {
      const found = sql.standing.get(fetchId);
      if (!found) throw new Error(`there is no fetch ${fetchId}`);
      return found;
    },
    pieces: async (fetchId, index) => sql.pieces.all(fetchId, index).map(({ start, end }) => [start, end] as const),
    record: async (fetchId, changes) =>
      commits.run(() => {
        const { bytes, verified, files } = changes.map((change) => apply(fetchId, change)).reduce(both, nothing);
        if (bytes !== 0 || verified !== 0 || files !== 0) sql.count.run(bytes, verified, files, fetchId);
      }),
    log: async (fetchId, level, message) =>
      commits.run(() => {
        sql.log.run(fetchId, Date.now(), level, message);
        sql.trimLog.run({ id: fetchId, kept: keptLines });
      }),
  };
}

function both(a: Gain, b: Gain): Gain {
  return { bytes: a.bytes + b.bytes, verified: a.verified + b.verified, files: a.files + b.files };
}

function journalFile({ idx, ...row }: FileRow): JournalFile {
  return { index: idx, ...row };
}

type FileValue = number | string | Uint8Array | null;

/** A listing that was interrupted is made again. */
function addFiles(rows: number): string {
  return `INSERT INTO fetch_files (fetch_id, idx, path, href, length, crc32, sha256, state)
    VALUES ${Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?, ?, 'waiting')").join()} ON CONFLICT (fetch_id, idx) DO NOTHING`;
}

function statements(database: Database.Database) {
  const columns = 'idx, path, href, length, crc32, sha256, etag, state, restarts';
  const where = 'WHERE fetch_id = ? AND idx = ?';
  return {
    listing: database.prepare<[Buffer | null, number, number | null, number]>(
      'UPDATE fetches SET manifest_digest = ?, files_total = ?, bytes_total = ? WHERE id = ?',
    ),
    addFiles: database.prepare<FileValue[]>(addFiles(rowsAtOnce)),
    file: database.prepare<[number, number], FileRow>(`SELECT ${columns} FROM fetch_files ${where}`),
    // NOT INDEXED: in the order of the key, which begins where the last look ended.
    openFiles: database.prepare<[number, number, number], FileRow>(
      `SELECT ${columns} FROM fetch_files NOT INDEXED WHERE fetch_id = ? AND idx > ? AND state IN ('waiting', 'partial') ORDER BY idx LIMIT ?`,
    ),
    doneFiles: database.prepare<[number, number, number], FileRow>(
      `SELECT ${columns} FROM fetch_files WHERE fetch_id = ? AND idx > ? AND state = 'done' ORDER BY idx LIMIT ?`,
    ),
    standing: database.prepare<[number], Standing>(
      'SELECT files_done AS filesDone, bytes_done AS bytesDone, bytes_verified AS bytesVerified FROM fetches WHERE id = ?',
    ),
    pieces: database.prepare<[number, number], PieceRow>(`SELECT start, end FROM fetch_pieces ${where} ORDER BY start`),
    pieceBytes: database.prepare<[number, number], number>(`SELECT ifnull(sum(end - start), 0) FROM fetch_pieces ${where}`).pluck(),
    takeNeighbours: database.prepare<[number, number, number, number], PieceRow>(
      `DELETE FROM fetch_pieces ${where} AND start <= ? AND end >= ? RETURNING start, end`,
    ),
    addPiece: database.prepare<[number, number, number, number]>('INSERT INTO fetch_pieces (fetch_id, idx, start, end) VALUES (?, ?, ?, ?)'),
    dropPieces: database.prepare<[number, number]>(`DELETE FROM fetch_pieces ${where}`),
    begin: database.prepare<[string | null, number | null, number, number]>(
      `UPDATE fetch_files SET state = 'partial', etag = ?, length = ifnull(?, length), reason = NULL, message = NULL ${where}`,
    ),
    partial: database.prepare<[number, number]>(`UPDATE fetch_files SET state = 'partial' ${where}`),
    restart: database.prepare<[number, number, number]>(
      `UPDATE fetch_files SET state = 'waiting', etag = NULL, restarts = restarts + ?, verified_at = NULL ${where}`,
    ),
    done: database.prepare<[number, number, number, Uint8Array, number, number, number]>(
      `UPDATE fetch_files SET state = 'done', skipped = ?, length = ?, crc32 = ?, sha256 = ?, verified_at = ?, reason = NULL, message = NULL ${where}`,
    ),
    doneAtOnce: database.prepare<[number, number, Uint8Array, number, number, number, number]>(
      `UPDATE fetch_files SET state = 'done', skipped = ?, crc32 = ?, sha256 = ?, verified_at = ? ${where} AND state = 'waiting' AND length = ?`,
    ),
    // NOT INDEXED: in the order of the key.
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
    log: database.prepare<[number, number, string, string]>('INSERT INTO fetch_log (fetch_id, at, level, message) VALUES (?, ?, ?, ?)'),
    trimLog: database.prepare<{ id: number; kept: number }>(
      `DELETE FROM fetch_log WHERE fetch_id = @id
       AND id <= (SELECT id FROM fetch_log WHERE fetch_id = @id ORDER BY id DESC LIMIT 1 OFFSET @kept)`,
    ),
  };
}
