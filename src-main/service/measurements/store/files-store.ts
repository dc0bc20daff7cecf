import { compareCodePoints } from '../../../../src-shared/measurement-names.ts';
import { tellOfMeasurement } from '../../notifications/store/outbox.ts';
import type { Database, Reading, Transaction } from '../../database/port/database.ts';
import { inNumbers } from '../../database/port/dialect.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { all, one, run } from '../../database/port/steps.ts';
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
  /** Digest of the hashes of its pieces; null for a file of one piece, and where none were made. */
  readonly pieces_sha256: Buffer | null;
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

/** Where a member lies in the archive of all files. */
export type MemberPlace = Pick<FileRow, 'idx' | 'archive_offset' | 'directory_offset'>;

/** Neighbouring entries of a central directory that begins with the first of them. */
export interface DirectoryEntries {
  /** Indexes of the first and the last member. */
  readonly first: number;
  readonly last: number;
  /** Offset of the first entry within the directory of all files. */
  readonly directoryFrom: number;
  /** Bytes by which each entry is shorter than in the directory of all files. */
  readonly saved: number;
}

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
  /** Returns the places of members by their indexes, in order; an index without a file has none. */
  placesOf(measurementId: string, indexes: readonly number[]): Promise<readonly MemberPlace[]>;
  /** Returns the index of the member whose entry contains an offset from the first of some entries. */
  indexAtDirectoryOffset(measurementId: string, entries: DirectoryEntries, offset: number): Promise<number>;
  /**
   * Returns the first index, from `from` on, whose path is not before a text by code points; `count`,
   * the number of files, when all are.
   */
  firstNotBefore(measurementId: string, path: string, from: number, count: number): Promise<number>;
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

const member = 'idx, path, location, length, crc32, mtime_ns, registered_at, archive_offset, directory_offset';

const at = read<[string, number], FileRow>('SELECT * FROM measurement_files WHERE measurement_id = ? AND idx = ?');
const from = read<[string, number, number], FileRow>(
  'SELECT * FROM measurement_files WHERE measurement_id = ? AND idx >= ? ORDER BY idx LIMIT ?',
);
const withProblems = read<[string, number, number], FileRow>(
  `SELECT * FROM measurement_files WHERE measurement_id = ? AND idx >= ? AND state <> 'ok' ORDER BY idx LIMIT ?`,
);
const atArchiveOffset = read<[string, number], FileRow>(
  'SELECT * FROM measurement_files WHERE measurement_id = ? AND archive_offset <= ? ORDER BY archive_offset DESC LIMIT 1',
);
const membersFrom = read<[string, number, number], ArchiveMemberRow>(
  `SELECT ${member} FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ?`,
);
const indexAtArchiveOffset = readValue<[string, number], number>(
  'SELECT idx FROM measurement_files WHERE measurement_id = ? AND archive_offset <= ? ORDER BY archive_offset DESC LIMIT 1',
);
// directory_offset grows with idx but has no index, so it is searched by bisection over the
// primary key.
const directoryOffset = readValue<[string, number], number>(
  'SELECT directory_offset FROM measurement_files WHERE measurement_id = ? AND idx = ?',
);
// The order of the files is that of their paths by code points.
const pathAt = readValue<[string, number], string>(
  'SELECT path FROM measurement_files WHERE measurement_id = ? AND idx = ?',
);
const placesOf = read<[string, string], MemberPlace>(
  `SELECT idx, archive_offset, directory_offset FROM measurement_files WHERE measurement_id = ? AND ${inNumbers('idx', '?')}`,
);
const check = write<[string, string | null, number, string, number]>(
  'UPDATE measurement_files SET state = ?, problem = ?, checked_at = ? WHERE measurement_id = ? AND idx = ?',
);
const problems = readValue<[string], number>(
  `SELECT count(*) FROM measurement_files WHERE measurement_id = ? AND state <> 'ok'`,
);
const settle = write<[number, string, string, number, string]>(
  'UPDATE measurements SET problem_count = ?, state = ? WHERE id = ? AND (problem_count <> ? OR state <> ?)',
);
const stage = readValue<[string], MeasurementStage>(`SELECT ${stageSql} FROM measurements WHERE id = ?`);

/** The frozen files of measurements. */
export function filesStore(database: Database): FilesStore {
  return {
    at: async (measurementId, index) => database.one(at, measurementId, index),
    from: async (measurementId, index, limit) => database.all(from, measurementId, index, limit),
    withProblems: async (measurementId, index, limit) => database.all(withProblems, measurementId, index, limit),
    atArchiveOffset: async (measurementId, offset) => database.one(atArchiveOffset, measurementId, offset),
    membersBetween: async (measurementId, start, end, limit) =>
      database.read(() => membersBetween(measurementId, start, end, limit)),
    membersFrom: async (measurementId, index, limit) =>
      inOrder(await database.all(membersFrom, measurementId, index, index + limit - 1)),
    placesOf: async (measurementId, indexes) =>
      inOrder(await database.all(placesOf, measurementId, JSON.stringify(indexes))),
    indexAtDirectoryOffset: async (measurementId, entries, offset) =>
      database.read(() => indexAtDirectoryOffset(measurementId, entries, offset)),
    firstNotBefore: async (measurementId, path, start, count) =>
      database.read(() => firstNotBefore(measurementId, path, start, count)),
    recordChecks: async (measurementId, checks) => database.transaction(() => recordChecks(measurementId, checks)),
  };
}

function* recordChecks(
  measurementId: string,
  checks: readonly (FileCheck & { readonly index: number })[],
): Transaction<'degraded' | 'changed' | 'same'> {
  const before = yield* one(stage, measurementId);
  if (before === null || !isServed(before)) return 'same';
  for (const found of checks) yield* run(check, found.state, found.problem, found.at, measurementId, found.index);
  const count = (yield* one(problems, measurementId)) ?? 0;
  const next = measurementTransitions[before][count > 0 ? 'degrade' : 'recover'];
  const state = next === 'ignored' ? before : next;
  if ((yield* run(settle, count, state, measurementId, count, state)) === 0) return 'same';
  if (state !== 'degraded' || before === 'degraded') return 'changed';
  yield* tellOfMeasurement('degraded', measurementId);
  return 'degraded';
}

// Sorted in JavaScript: with ORDER BY or LIMIT SQLite prepares the statement again for each bound
// value (STAT4), which takes longer than the read.
function inOrder<Row extends Pick<FileRow, 'idx'>>(members: readonly Row[]): readonly Row[] {
  return members.toSorted((a, b) => a.idx - b.idx);
}

function* membersBetween(
  measurementId: string,
  start: number,
  end: number,
  limit: number,
): Reading<readonly ArchiveMemberRow[]> {
  const first = yield* one(indexAtArchiveOffset, measurementId, start);
  const last = yield* one(indexAtArchiveOffset, measurementId, end - 1);
  if (first === null || last === null) return [];
  return inOrder(yield* all(membersFrom, measurementId, first, Math.min(last, first + limit - 1)));
}

function* indexAtDirectoryOffset(
  measurementId: string,
  { first, last, directoryFrom, saved }: DirectoryEntries,
  offset: number,
): Reading<number> {
  let low = first;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const found = (yield* one(directoryOffset, measurementId, middle)) ?? 0;
    if (found - directoryFrom - saved * (middle - first) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Gallops first, because what is looked for is often near.
function* firstNotBefore(measurementId: string, path: string, start: number, count: number): Reading<number> {
  const isBefore = function* (index: number): Reading<boolean> {
    const found = yield* one(pathAt, measurementId, index);
    return found !== null && compareCodePoints(found, path) < 0;
  };
  let low = start;
  let high = count;
  for (let step = 1; low + step <= count; step *= 2) {
    if (!(yield* isBefore(low + step - 1))) {
      high = low + step - 1;
      break;
    }
    low += step;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (yield* isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
