import type Database from 'better-sqlite3';
import { activeJobStates } from '../../../../src-shared/states/job-states.ts';
import { requirePossible } from '../../../../src-shared/states/transitions.ts';
import { insertRows } from '../../database/insert-rows.ts';
import { foldedKey } from '../../database/text-search.ts';
import { stateList } from '../../database/transition-sql.ts';
import { blockSumsWriter } from './block-sums-store.ts';
import { changedBy, measurementTransitions, stageOf, stageSql } from './measurement-states.ts';
import type { PlannedFile, WrittenFile, RegisteredFile, Totals, RegistrationStore } from './registration-rows.ts';

/** Writes registrations to SQLite. */
export function registrationStore(database: Database.Database): RegistrationStore {
  const taken = database.prepare<[string], number>('SELECT 1 FROM measurements WHERE lower(id) = lower(?)');
  const reserve = database.prepare<[string, string, string, number, string, string, number]>(
    `INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, created_at) VALUES (?, ?, ?, ?, ?, ?, 'registering', ?)`,
  );
  const abandoned = database
    .prepare<[], string>(
      `SELECT id FROM measurements WHERE ${stageSql} = 'removing' OR state = 'registering' AND NOT EXISTS (
         SELECT 1 FROM jobs WHERE measurement_id = measurements.id AND kind = 'register' AND jobs.state IN ${stateList(activeJobStates)})`,
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
    `UPDATE measurements SET state = 'available', registered_at = ?, verified_at = ? WHERE id = ? AND ${changedBy('freeze')}`,
  );
  const hide = database.prepare<[number, string]>(
    `UPDATE measurements SET state = 'registering', registered_at = ifnull(registered_at, ?) WHERE id = ? AND ${changedBy('remove')}`,
  );
  const rowOf = database.prepare<[string], Parameters<typeof stageOf>[0]>(
    'SELECT state, registered_at FROM measurements WHERE id = ?',
  );
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
  const selectLeastRecentlyVerified = database
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
    hide: async (measurementId) => void hide.run(Date.now(), measurementId),
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
    makeAvailable: async (measurementId, at) => {
      if (makeAvailable.run(at, at, measurementId).changes > 0) return true;
      const row = rowOf.get(measurementId);
      if (row) requirePossible(measurementTransitions, stageOf(row), 'freeze');
      return false;
    },
    removeUnused: async (locations, remove) => removeUnused.immediate(locations, remove),
    touched: async (measurementId, files) =>
      each<(typeof files)[number]>((f) => {
        touched.run(f.mtimeNs, f.ctimeNs, measurementId, f.index);
        writeBlocks(measurementId, f.index, f.blocks);
      })(files),
    verified: async (measurementId, at) => void verified.run(at, measurementId),
    leastRecentlyVerified: async (before, asked) => selectLeastRecentlyVerified.get(before, asked) ?? null,
    objectRestored: async (location, mtimeNs) => void restored.run(mtimeNs, location),
  };
}
