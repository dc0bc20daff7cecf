import type { SqliteConnection } from '../../database/sqlite/sqlite-file.ts';
import type { GroupCommit } from '../../database/sqlite/group-commit.ts';
import { slices } from './slices.ts';
import type { Journal, JournalChange, JournalFile, Piece } from '../engine/types.ts';
import {
  addFiles,
  journalStatements,
  rowsPerStatement,
  type JournalFileRow,
  type FileValue,
} from './journal-statements-store.ts';

/** The change of a fetch's counters. */
interface Gain {
  readonly bytes: number;
  readonly verified: number;
  readonly files: number;
}

const nothing: Gain = { bytes: 0, verified: 0, files: 0 };
// Longer transactions would block the event loop.
const filesPerBatch = 1000;
const keptLines = 500;

/**
 * The journal in SQLite: in the service's database, or in one with the tables of
 * `migrateFetchTables`. A fetch's counters change in the transaction that changes its files, so
 * they agree after any crash.
 */
export function journalStore(database: SqliteConnection, commits: GroupCommit): Journal {
  const sql = journalStatements(database);

  function fileOf(fetchId: number, index: number): JournalFileRow {
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

  /** Resets a file to the state before its first byte. @returns the decrease of the counters */
  function empty(fetchId: number, row: JournalFileRow): Gain {
    // A file with pieces is partial, so a waiting one has none.
    if (row.state === 'waiting') return nothing;
    const lost = row.state === 'done' ? (row.length ?? 0) : onDisk(fetchId, row.idx);
    sql.dropPieces.run(fetchId, row.idx);
    return row.state === 'done'
      ? { bytes: -lost, verified: -lost, files: -1 }
      : { bytes: -lost, verified: 0, files: 0 };
  }

  function apply(fetchId: number, change: JournalChange): Gain {
    if (change.kind === 'done') {
      // Fast path: nearly all files go from waiting to done.
      const { index, skipped, length, crc32, sha256 } = change;
      const { changes } = sql.doneAtOnce.run(skipped ? 1 : 0, crc32, sha256, Date.now(), fetchId, index, length);
      if (changes === 1) return { bytes: length, verified: length, files: 1 };
    }
    if (change.kind === 'as-listed') return asListed(fetchId, change.first, change.last);
    const row = fileOf(fetchId, change.index);
    switch (change.kind) {
      case 'begin': {
        // A finished file is counted as not done again.
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
        if (change.forgets === true) {
          sql.forget.run(fetchId, change.index);
          sql.countLengths.run({ id: fetchId });
        }
        return lost;
      }
      case 'done': {
        const before = empty(fetchId, row);
        sql.done.run(
          change.skipped ? 1 : 0,
          change.length,
          change.crc32,
          change.sha256,
          Date.now(),
          fetchId,
          change.index,
        );
        if (row.length !== change.length) sql.countLengths.run({ id: fetchId });
        return {
          bytes: before.bytes + change.length,
          verified: before.verified + change.length,
          files: before.files + 1,
        };
      }
      case 'failed': {
        const lost = empty(fetchId, row);
        sql.failed.run(change.reason, change.message, fetchId, change.index);
        return lost;
      }
    }
  }

  /** One statement for a range of files: one each takes three times as long. */
  function asListed(fetchId: number, first: number, last: number): Gain {
    const waiting = sql.waiting.get(fetchId, first, last);
    if (waiting?.files === last - first + 1) {
      sql.doneAsListed.run(Date.now(), fetchId, first, last);
      return { bytes: waiting.bytes, verified: waiting.bytes, files: waiting.files };
    }
    // Some files are not waiting: record them one by one.
    let sum = nothing;
    for (let index = first; index <= last; index += 1) {
      const { length, crc32, sha256 } = fileOf(fetchId, index);
      if (length === null || crc32 === null || sha256 === null)
        throw new Error(`fetch ${fetchId} lists no checksums of file ${index}`);
      sum = both(sum, apply(fetchId, { kind: 'done', index, skipped: false, length, crc32, sha256 }));
    }
    return sum;
  }

  return {
    begin: async (fetchId, { manifestDigest, filesTotal, bytesTotal }) =>
      commits.run(
        () => void sql.listing.run(manifestDigest && Buffer.from(manifestDigest), filesTotal, bytesTotal, fetchId),
      ),
    addFiles: async (fetchId, files) => {
      for (const some of slices(files, filesPerBatch)) {
        await commits.run(() => {
          // A statement call per row would cost as much as inserting the row.
          for (const rows of slices(some, rowsPerStatement)) {
            const values = rows.flatMap(({ index, path, href, length, crc32, sha256 }) => [
              fetchId,
              index,
              path,
              href,
              length,
              crc32,
              sha256,
            ]);
            (rows.length === rowsPerStatement
              ? sql.addFiles
              : database.prepare<FileValue[]>(addFiles(rows.length))
            ).run(...values);
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

function journalFile({ idx, ...row }: JournalFileRow): JournalFile {
  return { index: idx, ...row };
}
