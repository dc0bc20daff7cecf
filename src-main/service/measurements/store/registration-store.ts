import type Database from 'better-sqlite3';
import { insertRows } from '../../database/insert-rows.ts';
import { foldedKey } from '../../database/text-search.ts';
import { blockSumsWriter } from './block-sums-store.ts';
import type { FileRow } from './files-store.ts';
import type { ListedFile } from '../../files/inspect-findings.ts';

export interface PlannedFile {
  readonly idx: number;
  readonly path: string;
  readonly source: string;
  readonly length: number;
  readonly mtime_ns: string;
}

/** Columns that the second check of a registration compares. */
export type WrittenFile = Pick<FileRow, 'idx' | 'path' | 'location' | 'length' | 'mtime_ns'>;

/** A file with its checksums and its offsets in the archive. */
export interface RegisteredFile {
  readonly index: number;
  readonly path: string;
  readonly location: string;
  readonly length: number;
  readonly crc32: number;
  readonly sha256: Uint8Array;
  readonly mtimeNs: string;
  readonly ctimeNs: string | null;
  /** See block-sums.ts. */
  readonly blocks: Uint8Array | null;
  readonly registeredAt: number;
  readonly archiveOffset: number;
  readonly directoryOffset: number;
}

export interface Totals {
  readonly files: number;
  readonly bytes: number;
}

export interface RegistrationStore {
  /**
   * Inserts the row of a measurement under registration.
   *
   * @returns false when the id is taken, ignoring case.
   */
  reserve(measurement: {
    readonly id: string;
    readonly title: string;
    readonly ownerId: number;
    readonly storage: 'reference' | 'library';
    readonly root: string;
  }): Promise<boolean>;
  idTaken(id: string): Promise<boolean>;
  /** Returns measurements under registration that have no unfinished job. */
  abandoned(): Promise<readonly string[]>;
  plan(jobId: number, firstIndex: number, files: readonly ListedFile[]): Promise<void>;
  planned(jobId: number, fromIndex: number, limit: number): Promise<readonly PlannedFile[]>;
  plannedTotals(jobId: number): Promise<Totals>;
  /** Removes a batch of rows of the plan. @returns whether there may be more. */
  dropPlan(jobId: number, limit: number): Promise<boolean>;
  add(measurementId: string, files: readonly RegisteredFile[]): Promise<void>;
  /** Returns the written files from an index on, in order. */
  written(measurementId: string, fromIndex: number, limit: number): Promise<readonly WrittenFile[]>;
  /** Replaces the checksums of files that changed after they were read. */
  readAgain(
    measurementId: string,
    files: readonly Omit<RegisteredFile, 'path' | 'archiveOffset' | 'directoryOffset'>[],
  ): Promise<void>;
  place(
    measurementId: string,
    places: readonly Pick<RegisteredFile, 'index' | 'archiveOffset' | 'directoryOffset'>[],
  ): Promise<void>;
  /**
   * Hides a measurement before it is removed in batches; an interrupted removal is found by
   * `abandoned`.
   */
  hide(measurementId: string): Promise<void>;
  /**
   * Removes a batch of files of a measurement. `remove` is called with each library location that
   * is no longer used, in the same transaction, so that no registration can start to use it.
   *
   * @returns whether there may be more.
   */
  dropFiles(measurementId: string, limit: number, remove: ((location: string) => void) | null): Promise<boolean>;
  /**
   * Writes the totals and the archive's shape without an fsync; the measurement stays under
   * registration.
   */
  total(
    measurementId: string,
    totals: Totals,
    archive: {
      readonly bytes: number;
      readonly directoryOffset: number;
      readonly tag: string;
      readonly version: number;
    },
  ): Promise<void>;
  /** Makes a registered measurement visible to others. */
  makeAvailable(measurementId: string, at: number): Promise<boolean>;
  /**
   * Calls `remove` with each library location that no measurement uses, in the same transaction, so
   * that no registration can start to use it.
   */
  removeUnused(locations: readonly string[], remove: (location: string) => void): Promise<void>;
  /** Updates timestamps and block sums of files whose content was found to be as registered. */
  touched(
    measurementId: string,
    files: readonly Pick<RegisteredFile, 'index' | 'mtimeNs' | 'ctimeNs' | 'blocks'>[],
  ): Promise<void>;
  verified(measurementId: string, at: number): Promise<void>;
  /**
   * Returns the measurement with the oldest verification before `before`, unless its check was
   * requested since `asked`.
   */
  leastRecentlyVerified(before: number, asked: number): Promise<string | null>;
  /**
   * Updates the modification time of a restored library object in every measurement that uses it.
   */
  objectRestored(location: string, mtimeNs: string): Promise<void>;
}

/** Writes registrations to SQLite. */
export function registrationStore(database: Database.Database): RegistrationStore {
  const taken = database.prepare<[string], number>('SELECT 1 FROM measurements WHERE lower(id) = lower(?)');
  const reserve = database.prepare<[string, string, string, number, string, string, number]>(
    `INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, created_at) VALUES (?, ?, ?, ?, ?, ?, 'registering', ?)`,
  );
  const abandoned = database
    .prepare<[], string>(
      `SELECT id FROM measurements WHERE state = 'registering' AND NOT EXISTS (
         SELECT 1 FROM jobs WHERE measurement_id = measurements.id AND kind = 'register' AND jobs.state IN ('queued', 'running', 'paused'))`,
    )
    .pluck();
  const plan = insertRows(
    database,
    'INSERT OR REPLACE INTO registration_files (job_id, idx, path, source, length, mtime_ns)',
    6,
  );
  const planned = database.prepare<[number, number, number], PlannedFile>(
    'SELECT idx, path, source, length, mtime_ns FROM registration_files WHERE job_id = ? AND idx >= ? ORDER BY idx LIMIT ?',
  );
  const plannedTotals = database.prepare<[number], Totals>(
    'SELECT count(*) AS files, ifnull(sum(length), 0) AS bytes FROM registration_files WHERE job_id = ?',
  );
  const dropPlan = database.prepare<[number, number, number]>(
    `DELETE FROM registration_files WHERE job_id = ?
       AND idx < (SELECT min(idx) FROM registration_files WHERE job_id = ?) + ?`,
  );
  const add = insertRows(
    database,
    `INSERT INTO measurement_files
       (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset, ctime_ns)`,
    12,
  );
  const written = database.prepare<[string, number, number], WrittenFile>(
    'SELECT idx, path, location, length, mtime_ns FROM measurement_files WHERE measurement_id = ? AND idx >= ? ORDER BY idx LIMIT ?',
  );
  const readAgain = database.prepare<
    [string, number, number, Uint8Array, string, string | null, number, string, number]
  >(
    'UPDATE measurement_files SET location = ?, length = ?, crc32 = ?, sha256 = ?, mtime_ns = ?, ctime_ns = ?, registered_at = ? WHERE measurement_id = ? AND idx = ?',
  );
  const place = database.prepare<[number, number, string, number]>(
    'UPDATE measurement_files SET archive_offset = ?, directory_offset = ? WHERE measurement_id = ? AND idx = ?',
  );
  const dropFiles = database
    .prepare<[string, string, number], string>(
      `DELETE FROM measurement_files WHERE measurement_id = ?
       AND idx IN (SELECT idx FROM measurement_files WHERE measurement_id = ? ORDER BY idx DESC LIMIT ?) RETURNING location`,
    )
    .pluck();
  const total = database.prepare<[number, number, number, number, number, string, string]>(
    `UPDATE measurements SET file_count = ?, total_bytes = ?, archive_layout = ?, archive_bytes = ?, archive_directory_offset = ?, archive_tag = ? WHERE id = ?`,
  );
  const makeAvailable = database.prepare<[number, number, string]>(
    `UPDATE measurements SET state = 'available', registered_at = ?, verified_at = ? WHERE id = ? AND state = 'registering'`,
  );
  const hide = database.prepare<[string]>(`UPDATE measurements SET state = 'registering' WHERE id = ?`);
  const inUse = database.prepare<[string], number>(
    `SELECT 1 FROM measurement_files JOIN measurements ON measurements.id = measurement_id AND storage = 'library' WHERE location = ? LIMIT 1`,
  );
  const restored = database.prepare<[string, string]>(
    `UPDATE measurement_files SET mtime_ns = ? WHERE location = ? AND measurement_id IN (SELECT id FROM measurements WHERE storage = 'library')`,
  );
  const touched = database.prepare<[string, string | null, string, number]>(
    'UPDATE measurement_files SET mtime_ns = ?, ctime_ns = ? WHERE measurement_id = ? AND idx = ?',
  );
  const verified = database.prepare<[number, string]>('UPDATE measurements SET verified_at = ? WHERE id = ?');
  const longestUnverified = database
    .prepare<[number, number], string>(
      `SELECT id FROM measurements WHERE state <> 'registering' AND ifnull(verified_at, 0) < ?
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE measurement_id = measurements.id AND kind = 'verify' AND jobs.created_at > ?)
       ORDER BY ifnull(verified_at, 0), id LIMIT 1`,
    )
    .pluck();
  // Commits without an fsync. A killed process loses nothing by that. A power cut loses only
  // commits after the last fsync, and the next commit with fsync (the job's progress, once a
  // second, and each of its steps) also makes all earlier ones durable, because the write-ahead log
  // is sequential.
  const soon = <T>(write: () => T): T => {
    database.pragma('synchronous = NORMAL');
    try {
      return write();
    } finally {
      database.pragma('synchronous = FULL');
    }
  };
  const each = <T>(run: (one: T) => void) => {
    const all = database.transaction((many: readonly T[]) => {
      for (const one of many) run(one);
    });
    return (many: readonly T[]) => soon(() => all(many));
  };
  const writeBlocks = blockSumsWriter(database);
  const planAll = database.transaction(plan);
  const addAll = database.transaction((id: string, files: readonly RegisteredFile[]) => {
    add(
      files.map((f) => [
        id,
        f.index,
        f.path,
        f.location,
        f.length,
        f.crc32,
        f.sha256,
        f.mtimeNs,
        f.registeredAt,
        f.archiveOffset,
        f.directoryOffset,
        f.ctimeNs,
      ]),
    );
    for (const { index, blocks } of files) if (blocks) writeBlocks(id, index, blocks);
  });
  const reserveUnlessTaken = database.transaction(
    (id: string, title: string, ownerId: number, storage: string, root: string) => {
      if (taken.get(id) !== undefined) return false;
      reserve.run(id, title, foldedKey(title), ownerId, storage, root, Date.now());
      return true;
    },
  );
  const removeUnused = database.transaction((locations: readonly string[], remove: (location: string) => void) => {
    for (const location of locations) if (inUse.get(location) === undefined) remove(location);
  });
  const dropSome = database.transaction((id: string, limit: number, remove: ((location: string) => void) | null) => {
    const locations = dropFiles.all(id, id, limit);
    if (remove) for (const location of new Set(locations)) if (inUse.get(location) === undefined) remove(location);
    return locations.length === limit;
  });
  return {
    reserve: async (m) => reserveUnlessTaken.immediate(m.id, m.title, m.ownerId, m.storage, m.root),
    idTaken: async (id) => taken.get(id) !== undefined,
    abandoned: async () => abandoned.all(),
    plan: async (jobId, firstIndex, files) =>
      soon(() => planAll(files.map((f, at) => [jobId, firstIndex + at, f.path, f.source, f.length, f.mtimeNs]))),
    planned: async (jobId, fromIndex, limit) => planned.all(jobId, fromIndex, limit),
    plannedTotals: async (jobId) => plannedTotals.get(jobId) ?? { files: 0, bytes: 0 },
    dropPlan: async (jobId, limit) => soon(() => dropPlan.run(jobId, jobId, limit).changes === limit),
    add: async (id, files) => soon(() => addAll(id, files)),
    written: async (measurementId, fromIndex, limit) => written.all(measurementId, fromIndex, limit),
    readAgain: async (measurementId, files) =>
      each<(typeof files)[number]>((f) => {
        readAgain.run(
          f.location,
          f.length,
          f.crc32,
          f.sha256,
          f.mtimeNs,
          f.ctimeNs,
          f.registeredAt,
          measurementId,
          f.index,
        );
        writeBlocks(measurementId, f.index, f.blocks);
      })(files),
    place: async (measurementId, places) =>
      each<(typeof places)[number]>((one) =>
        place.run(one.archiveOffset, one.directoryOffset, measurementId, one.index),
      )(places),
    hide: async (measurementId) => void hide.run(measurementId),
    dropFiles: async (measurementId, limit, remove) => dropSome.immediate(measurementId, limit, remove),
    total: async (measurementId, totals, archive) =>
      void soon(() =>
        total.run(
          totals.files,
          totals.bytes,
          archive.version,
          archive.bytes,
          archive.directoryOffset,
          archive.tag,
          measurementId,
        ),
      ),
    makeAvailable: async (measurementId, at) => makeAvailable.run(at, at, measurementId).changes > 0,
    removeUnused: async (locations, remove) => removeUnused.immediate(locations, remove),
    touched: async (measurementId, files) =>
      each<(typeof files)[number]>((f) => {
        touched.run(f.mtimeNs, f.ctimeNs, measurementId, f.index);
        writeBlocks(measurementId, f.index, f.blocks);
      })(files),
    verified: async (measurementId, at) => void verified.run(at, measurementId),
    leastRecentlyVerified: async (before, asked) => longestUnverified.get(before, asked) ?? null,
    objectRestored: async (location, mtimeNs) => void restored.run(mtimeNs, location),
  };
}
