import type { SqliteConnection } from '../../database/sqlite/sqlite-file.ts';
import type { FetchReason } from '../../contract/fetches.ts';
import type { GroupCommit } from '../../database/sqlite/group-commit.ts';
import { slices } from './slices.ts';

export interface UnfinishedFile {
  readonly idx: number;
  readonly path: string;
}

/** A failure message and the number of files that share it. */
export interface FailureGroup {
  readonly message: string | null;
  readonly files: number;
}

export interface FailedFile {
  readonly path: string;
  readonly message: string | null;
}

/** Changes to the files of a fetch outside of a run. Must not be called while it runs. */
export interface FetchFilesStore {
  /** Unfinished files in order, after the given index (-1 to start). */
  unfinished(fetchId: number, after: number, limit: number): Promise<readonly UnfinishedFile[]>;
  /** The first failed files, with their messages. */
  failed(fetchId: number, limit: number): Promise<readonly FailedFile[]>;
  /** The reasons of the first thousand failed files, most frequent first. */
  failures(fetchId: number): Promise<readonly FailureGroup[]>;
  /** The one reason that all failed files share; null for several, and for none. */
  commonReason(fetchId: number): Promise<FetchReason | null>;
  /** Files that failed because something has their name, in order, after the given index. */
  nameTaken(fetchId: number, after: number, limit: number): Promise<readonly UnfinishedFile[]>;
  /** Paths with a number in brackets, of all fetches into a folder. */
  numberedPaths(target: string): Promise<readonly string[]>;
  /** The name of the ZIP of a fetch; null before its list was read. */
  archivePath(fetchId: number): Promise<string | null>;
  /** Gives files other paths, and queues those that had failed again. */
  rename(fetchId: number, files: readonly UnfinishedFile[]): Promise<void>;
  /** Resets partial files after their removal from disk. */
  forgetPartial(fetchId: number): Promise<void>;
  /** Queues failed files again and resets restart counts. */
  retryFailed(fetchIds: readonly number[]): Promise<void>;
  /** Resets a fetch to the state before its manifest was read. */
  clear(fetchId: number): Promise<void>;
  /** Removes fetches with all their data. */
  remove(fetchIds: readonly number[]): Promise<void>;
}

// A fetch may have a hundred thousand files; deleting them in one transaction would block the event
// loop.
const rowsPerBatch = 1000;
const fetchesPerBatch = 250;
const listed = 'IN (SELECT value FROM json_each(?))';

export function fetchFilesStore(database: SqliteConnection, commits: GroupCommit): FetchFilesStore {
  const unfinished = database.prepare<[number, number, number], UnfinishedFile>(
    `SELECT idx, path FROM fetch_files NOT INDEXED WHERE fetch_id = ? AND idx > ? AND state <> 'done' ORDER BY idx LIMIT ?`,
  );
  const failed = database.prepare<[number, number], FailedFile>(
    `SELECT path, message FROM fetch_files WHERE fetch_id = ? AND state = 'failed' ORDER BY idx LIMIT ?`,
  );
  const failures = database.prepare<[number], FailureGroup>(
    `SELECT message, count(*) AS files FROM (SELECT message FROM fetch_files WHERE fetch_id = ? AND state = 'failed' ORDER BY idx LIMIT ${rowsPerBatch})
     GROUP BY message ORDER BY files DESC, message LIMIT 2`,
  );
  const reasons = database
    .prepare<[number], FetchReason | null>(
      `SELECT DISTINCT reason FROM fetch_files WHERE fetch_id = ? AND state = 'failed' LIMIT 2`,
    )
    .pluck();
  const nameTaken = database.prepare<[number, number, number], UnfinishedFile>(
    `SELECT idx, path FROM fetch_files WHERE fetch_id = ? AND idx > ? AND state = 'failed' AND reason = 'name-taken' ORDER BY idx LIMIT ?`,
  );
  const numberedPaths = database
    .prepare<[string], string>(
      `SELECT path FROM fetch_files WHERE fetch_id IN (SELECT id FROM fetches WHERE target = ?) AND path LIKE '% (%'`,
    )
    .pluck();
  const archivePath = database
    .prepare<[number], string>('SELECT path FROM fetch_files WHERE fetch_id = ? AND idx = 0')
    .pluck();
  const rename = database.prepare<[string, number, number]>(
    `UPDATE fetch_files SET path = ?, state = CASE state WHEN 'failed' THEN 'waiting' ELSE state END, restarts = 0, reason = NULL, message = NULL
     WHERE fetch_id = ? AND idx = ?`,
  );
  const dropPieces = database.prepare<[number]>('DELETE FROM fetch_pieces WHERE fetch_id = ?');
  const empty = database.prepare<[number]>(
    `UPDATE fetch_files SET state = 'waiting', etag = NULL, restarts = 0, reason = NULL, message = NULL WHERE fetch_id = ? AND state IN ('partial', 'failed')`,
  );
  const again = database.prepare<[string]>(
    `UPDATE fetch_files SET state = CASE state WHEN 'failed' THEN 'waiting' ELSE state END, restarts = 0, reason = NULL, message = NULL
     WHERE fetch_id ${listed} AND (state = 'failed' OR restarts > 0)`,
  );
  const recount = database.prepare<[number]>('UPDATE fetches SET bytes_done = bytes_verified WHERE id = ?');
  const dropFiles = database.prepare<[string]>(
    `DELETE FROM fetch_files WHERE (fetch_id, idx) IN (SELECT fetch_id, idx FROM fetch_files WHERE fetch_id ${listed} LIMIT ${rowsPerBatch})`,
  );
  const unlist = database.prepare<[number]>(
    'UPDATE fetches SET manifest_digest = NULL, files_total = NULL, files_done = 0, bytes_total = NULL, bytes_done = 0, bytes_verified = 0 WHERE id = ?',
  );
  const remove = database.prepare<[string]>(`DELETE FROM fetches WHERE id ${listed}`);

  async function dropAllFiles(ids: string): Promise<void> {
    while ((await commits.run(() => dropFiles.run(ids).changes)) === rowsPerBatch);
  }

  return {
    unfinished: async (fetchId, after, limit) => unfinished.all(fetchId, after, limit),
    failed: async (fetchId, limit) => failed.all(fetchId, limit),
    failures: async (fetchId) => failures.all(fetchId),
    commonReason: async (fetchId) => {
      const [only = null, other] = reasons.all(fetchId);
      return other === undefined ? only : null;
    },
    nameTaken: async (fetchId, after, limit) => nameTaken.all(fetchId, after, limit),
    numberedPaths: async (target) => numberedPaths.all(target),
    archivePath: async (fetchId) => archivePath.get(fetchId) ?? null,
    rename: async (fetchId, files) =>
      commits.run(() => {
        for (const file of files) rename.run(file.path, fetchId, file.idx);
      }),
    forgetPartial: async (id) =>
      commits.run(() => {
        dropPieces.run(id);
        empty.run(id);
        recount.run(id);
      }),
    retryFailed: async (ids) => {
      for (const some of slices(ids, fetchesPerBatch)) await commits.run(() => void again.run(JSON.stringify(some)));
    },
    clear: async (id) => {
      // First, so that after a kill no fetch mistakes its remaining files for the whole list.
      await commits.run(() => void unlist.run(id));
      await dropAllFiles(JSON.stringify([id]));
    },
    remove: async (ids) => {
      for (const some of slices(ids, fetchesPerBatch)) {
        await dropAllFiles(JSON.stringify(some));
        await commits.run(() => void remove.run(JSON.stringify(some)));
      }
    },
  };
}
