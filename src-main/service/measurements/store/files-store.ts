import type Database from 'better-sqlite3';
import { isServed, measurementTransitions, stageSql, type MeasurementStage } from './measurement-states.ts';

export interface FileRow {
  readonly measurement_id: string;
  readonly idx: number;
  readonly path: string;
  readonly location: string;
  readonly length: number;
  readonly crc32: number;
  readonly sha256: Buffer;
  readonly mtime_ns: string;
  /**
   * Status change time when the bytes were hashed, in nanoseconds; null where unknown, and for the
   * library.
   */
  readonly ctime_ns: string | null;
  readonly registered_at: number;
  readonly archive_offset: number;
  readonly directory_offset: number;
  readonly state: 'ok' | 'altered' | 'missing' | 'unreadable';
  readonly problem: string | null;
  readonly checked_at: number | null;
}

/** Columns that sending a file in an archive needs. */
export type ArchiveMemberRow = Pick<
  FileRow,
  | 'idx'
  | 'path'
  | 'location'
  | 'length'
  | 'crc32'
  | 'mtime_ns'
  | 'registered_at'
  | 'archive_offset'
  | 'directory_offset'
>;

export interface FileCheck {
  readonly state: FileRow['state'];
  readonly problem: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface FilesStore {
  at(measurementId: string, index: number): Promise<FileRow | null>;
  /** Returns the files from an index on, in order. */
  from(measurementId: string, index: number, limit: number): Promise<readonly FileRow[]>;
  withProblems(measurementId: string, index: number, limit: number): Promise<readonly FileRow[]>;
  /** Returns the archive member that contains a byte offset below the central directory. */
  atArchiveOffset(measurementId: string, offset: number): Promise<FileRow | null>;
  /** Returns the archive members with bytes from `start` up to but excluding `end`, in order. */
  membersBetween(
    measurementId: string,
    start: number,
    end: number,
    limit: number,
  ): Promise<readonly ArchiveMemberRow[]>;
  /** Returns the archive members from an index on, in order. */
  membersFrom(measurementId: string, index: number, limit: number): Promise<readonly ArchiveMemberRow[]>;
  /** Returns the member whose central directory entry contains an offset. */
  atDirectoryOffset(measurementId: string, offset: number): Promise<FileRow | null>;
  /**
   * Stores the results of checks and updates the state of the measurement in one transaction.
   *
   * @returns `degraded` when the measurement became degraded, `changed` when its state or number of
   * problems changed otherwise.
   */
  recordChecks(
    measurementId: string,
    checks: readonly (FileCheck & { readonly index: number })[],
  ): Promise<'degraded' | 'changed' | 'same'>;
}

/** The frozen files of measurements in SQLite. */
export function filesStore(database: Database.Database): FilesStore {
  const at = database.prepare<[string, number], FileRow>(
    'SELECT * FROM measurement_files WHERE measurement_id = ? AND idx = ?',
  );
  const from = database.prepare<[string, number, number], FileRow>(
    'SELECT * FROM measurement_files WHERE measurement_id = ? AND idx >= ? ORDER BY idx LIMIT ?',
  );
  const withProblems = database.prepare<[string, number, number], FileRow>(
    `SELECT * FROM measurement_files WHERE measurement_id = ? AND idx >= ? AND state <> 'ok' ORDER BY idx LIMIT ?`,
  );
  const atArchiveOffset = database.prepare<[string, number], FileRow>(
    'SELECT * FROM measurement_files WHERE measurement_id = ? AND archive_offset <= ? ORDER BY archive_offset DESC LIMIT 1',
  );
  const member = 'idx, path, location, length, crc32, mtime_ns, registered_at, archive_offset, directory_offset';
  const membersFrom = database.prepare<[string, number, number], ArchiveMemberRow>(
    `SELECT ${member} FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ?`,
  );
  const indexAtArchiveOffset = database
    .prepare<[string, number], number>(
      'SELECT idx FROM measurement_files WHERE measurement_id = ? AND archive_offset <= ? ORDER BY archive_offset DESC LIMIT 1',
    )
    .pluck();
  // directory_offset grows with idx but has no index, so it is searched by bisection over the
  // primary key.
  const directoryOffset = database
    .prepare<[string, number], number>(
      'SELECT directory_offset FROM measurement_files WHERE measurement_id = ? AND idx = ?',
    )
    .pluck();
  const lastIndex = database
    .prepare<[string], number | null>('SELECT max(idx) FROM measurement_files WHERE measurement_id = ?')
    .pluck();
  const check = database.prepare<[string, string | null, number, string, number]>(
    'UPDATE measurement_files SET state = ?, problem = ?, checked_at = ? WHERE measurement_id = ? AND idx = ?',
  );
  const problems = database
    .prepare<[string], number>(`SELECT count(*) FROM measurement_files WHERE measurement_id = ? AND state <> 'ok'`)
    .pluck();
  const settle = database.prepare<[number, string, string, number, string]>(
    'UPDATE measurements SET problem_count = ?, state = ? WHERE id = ? AND (problem_count <> ? OR state <> ?)',
  );
  const stage = database
    .prepare<[string], MeasurementStage>(`SELECT ${stageSql} FROM measurements WHERE id = ?`)
    .pluck();
  const recordChecks = database.transaction(
    (measurementId: string, checks: readonly (FileCheck & { readonly index: number })[]) => {
      const before = stage.get(measurementId);
      if (before === undefined || !isServed(before)) return 'same';
      for (const one of checks) check.run(one.state, one.problem, one.at, measurementId, one.index);
      const count = problems.get(measurementId) ?? 0;
      const next = measurementTransitions[before][count > 0 ? 'degrade' : 'recover'];
      const state = next === 'ignored' ? before : next;
      if (settle.run(count, state, measurementId, count, state).changes === 0) return 'same';
      return state === 'degraded' && before !== 'degraded' ? 'degraded' : 'changed';
    },
  );

  // Sorted in JavaScript: with ORDER BY or LIMIT SQLite prepares the statement again for each bound
  // value (STAT4), which takes longer than the read.
  function members(measurementId: string, first: number, last: number): readonly ArchiveMemberRow[] {
    return membersFrom.all(measurementId, first, last).toSorted((a, b) => a.idx - b.idx);
  }

  function membersBetween(
    measurementId: string,
    start: number,
    end: number,
    limit: number,
  ): readonly ArchiveMemberRow[] {
    const first = indexAtArchiveOffset.get(measurementId, start);
    const last = indexAtArchiveOffset.get(measurementId, end - 1);
    return first === undefined || last === undefined
      ? []
      : members(measurementId, first, Math.min(last, first + limit - 1));
  }

  function indexAtDirectoryOffset(measurementId: string, offset: number): number {
    let low = 0;
    let high = lastIndex.get(measurementId) ?? -1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((directoryOffset.get(measurementId, middle) ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return high < 0 ? -1 : low;
  }

  return {
    at: async (measurementId, index) => at.get(measurementId, index) ?? null,
    from: async (measurementId, index, limit) => from.all(measurementId, index, limit),
    withProblems: async (measurementId, index, limit) => withProblems.all(measurementId, index, limit),
    atArchiveOffset: async (measurementId, offset) => atArchiveOffset.get(measurementId, offset) ?? null,
    membersBetween: async (measurementId, start, end, limit) => membersBetween(measurementId, start, end, limit),
    membersFrom: async (measurementId, index, limit) => members(measurementId, index, index + limit - 1),
    atDirectoryOffset: async (measurementId, offset) =>
      at.get(measurementId, indexAtDirectoryOffset(measurementId, offset)) ?? null,
    recordChecks: async (measurementId, checks) => recordChecks(measurementId, checks),
  };
}
