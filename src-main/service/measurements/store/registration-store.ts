import { tellOfMeasurement, tellProjectOf } from '../../notifications/store/outbox.ts';
import type { Database, Transaction } from '../../database/port/database.ts';
import { perEngine, rowsOf } from '../../database/port/dialect.ts';
import { read, readValue, write, writeValue } from '../../database/port/query.ts';
import { all, one, returningAll, run, runRows } from '../../database/port/steps.ts';
import { activeJobStates } from '../../../../src-shared/states/job-states.ts';
import { requirePossible } from '../../../../src-shared/states/transitions.ts';
import { insertRows } from '../../database/insert-rows.ts';
import { foldedKey } from '../../database/text-search.ts';
import { stateList } from '../../database/transition-sql.ts';
import { writeBlockSums } from './block-sums-store.ts';
import { piecesDigest } from './piece-hashes.ts';
import { writePieces } from './pieces-store.ts';
import { maxFileTime, millisecondsOf, minFileTime, timesOf, type TimesRow } from './file-times.ts';
import { unusedOf } from './library-use.ts';
import { changedBy, measurementTransitions, stageOf, stageSql } from './measurement-states.ts';
import type { PlannedFile, WrittenFile, RegisteredFile, Totals, RegistrationStore } from './registration-rows.ts';

const taken = readValue<[string], number>('SELECT 1 FROM measurements WHERE lower(id) = lower(?)');
const reserve = write<[string, string, string, number, string, string, number]>(
  `INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, created_at) VALUES (?, ?, ?, ?, ?, ?, 'registering', ?)`,
);
const abandoned = readValue<[number], string>(
  `SELECT id FROM measurements WHERE state = 'registering' AND (${stageSql} = 'removing' OR created_at < ? AND NOT EXISTS (
       SELECT 1 FROM jobs WHERE measurement_id = measurements.id AND kind = 'register' AND jobs.state IN ${stateList(activeJobStates)}))
     AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id
       OR measurement_id = measurements.id AND stage IN ('leaving', 'restoring'))`,
);
const planned = read<[number, number, number], PlannedFile>(
  'SELECT idx, path, source, length, mtime_ns FROM registration_files WHERE job_id = ? AND idx >= ? ORDER BY idx LIMIT ?',
);
const plannedTotals = read<[number], Totals>(
  'SELECT count(*) AS files, ifnull(sum(length), 0) AS bytes FROM registration_files WHERE job_id = ?',
);
const plannedTimes = read<[number, number, number], TimesRow>(
  `SELECT min(at) AS began, max(at) AS ended
   FROM (SELECT ${millisecondsOf('mtime_ns')} AS at FROM registration_files WHERE job_id = ?) AS times WHERE at BETWEEN ? AND ?`,
);
const setTimes = write<[number | null, number | null, string]>(
  'UPDATE measurements SET began_at = ?, ended_at = ? WHERE id = ?',
);
const dropPlan = write<[number, number, number]>(
  `DELETE FROM registration_files WHERE job_id = ?
     AND idx < (SELECT min(idx) FROM registration_files WHERE job_id = ?) + ?`,
);
const written = read<[string, number, number], WrittenFile>(
  'SELECT idx, path, location, length, mtime_ns FROM measurement_files WHERE measurement_id = ? AND idx >= ? ORDER BY idx LIMIT ?',
);
const readAgain = write<
  [string, number, number, Uint8Array, Uint8Array | null, string, string | null, number, string, number]
>(
  'UPDATE measurement_files SET location = ?, length = ?, crc32 = ?, sha256 = ?, pieces_sha256 = ?, mtime_ns = ?, ctime_ns = ?, registered_at = ? WHERE measurement_id = ? AND idx = ?',
);
const place = write<{ id: string; archiveOffset: number; directoryOffset: number; index: number }>(
  perEngine(
    'UPDATE measurement_files SET archive_offset = @archiveOffset, directory_offset = @directoryOffset WHERE measurement_id = @id AND idx = @index',
    `UPDATE measurement_files SET archive_offset = x."archiveOffset", directory_offset = x."directoryOffset"
     FROM ${rowsOf('@rows', 'id text, "archiveOffset" bigint, "directoryOffset" bigint, index bigint')} WHERE measurement_id = x.id AND idx = x.index`,
  ),
);
const dropFiles = writeValue<[string, string, number], string>(
  `DELETE FROM measurement_files WHERE measurement_id = ?
     AND idx IN (SELECT idx FROM measurement_files WHERE measurement_id = ? ORDER BY idx DESC LIMIT ?) RETURNING location`,
);
const total = write<[number, number, number, number, number, string, string]>(
  `UPDATE measurements SET file_count = ?, total_bytes = ?, archive_layout = ?, archive_bytes = ?, archive_directory_offset = ?, archive_tag = ? WHERE id = ?`,
);
const makeAvailable = write<[number, number, string]>(
  `UPDATE measurements SET state = 'available', registered_at = ?, verified_at = ? WHERE id = ? AND ${changedBy('freeze')}`,
);
const hide = write<[number, string]>(
  `UPDATE measurements SET state = 'registering', registered_at = ifnull(registered_at, ?) WHERE id = ? AND ${changedBy('remove')}`,
);
const grantedProjects = readValue<[string], number>(
  'SELECT project_id FROM grants WHERE measurement_id = ? AND project_id IS NOT NULL',
);
const rowOf = read<[string], Parameters<typeof stageOf>[0]>(
  'SELECT state, registered_at FROM measurements WHERE id = ?',
);
const restored = write<[string, string]>(
  `UPDATE measurement_files SET mtime_ns = ? WHERE location = ?
     AND EXISTS (SELECT 1 FROM measurements WHERE id = measurement_files.measurement_id AND storage = 'library')`,
);
const touched = write<[string, string | null, string, number]>(
  'UPDATE measurement_files SET mtime_ns = ?, ctime_ns = ? WHERE measurement_id = ? AND idx = ?',
);
const verified = write<[number, string]>('UPDATE measurements SET verified_at = ? WHERE id = ?');
const selectLeastRecentlyVerified = readValue<[number, number], string>(
  `SELECT id FROM measurements WHERE state <> 'registering' AND ifnull(verified_at, 0) < ?
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE measurement_id = measurements.id AND kind = 'verify' AND jobs.created_at > ?)
     ORDER BY ifnull(verified_at, 0), id LIMIT 1`,
);

const plan = insertRows(
  'INSERT INTO registration_files (job_id, idx, path, source, length, mtime_ns)',
  6,
  `ON CONFLICT (job_id, idx) DO UPDATE
     SET path = excluded.path, source = excluded.source, length = excluded.length, mtime_ns = excluded.mtime_ns`,
);
const add = insertRows(
  `INSERT INTO measurement_files
     (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset, ctime_ns, pieces_sha256)`,
  13,
);

/**
 * Writes registrations. Most commits are relaxed: a power cut loses only what is registered again,
 * and the next commit that waits for the disk (the job's progress, once a second, and each of its
 * steps) makes all earlier ones durable.
 */
export function registrationStore(database: Database): RegistrationStore {
  return {
    reserve: async (m) => database.transaction(() => reserveUnlessTaken(m)),
    idTaken: async (id) => (await database.one(taken, id)) !== null,
    abandoned: async (before) => database.all(abandoned, before),
    plan: async (jobId, firstIndex, files) =>
      database.relaxed(() =>
        plan(files.map((f, at) => [jobId, firstIndex + at, f.path, f.source, f.length, f.mtimeNs])),
      ),
    planned: async (jobId, fromIndex, limit) => database.all(planned, jobId, fromIndex, limit),
    plannedTotals: async (jobId) => (await database.one(plannedTotals, jobId)) ?? { files: 0, bytes: 0 },
    plannedTimes: async (jobId, now) => timesOf(await database.one(plannedTimes, jobId, minFileTime, maxFileTime(now))),
    setTimes: async (id, times) =>
      void (await database.relaxed(() => run(setTimes, times?.beganAt ?? null, times?.endedAt ?? null, id))),
    dropPlan: async (jobId, limit) => (await database.relaxed(() => run(dropPlan, jobId, jobId, limit))) === limit,
    add: async (id, files) => database.relaxed(() => addFiles(id, files)),
    written: async (measurementId, fromIndex, limit) => database.all(written, measurementId, fromIndex, limit),
    readAgain: async (measurementId, files) =>
      database.relaxed(function* () {
        for (const f of files) {
          const { location, length, crc32, sha256, mtimeNs, ctimeNs, registeredAt, index } = f;
          const times = [mtimeNs, ctimeNs, registeredAt] as const;
          yield* run(readAgain, location, length, crc32, sha256, digestOfPieces(f), ...times, measurementId, index);
          yield* writeBlockSums(measurementId, index, f.blocks);
          yield* writePieces(measurementId, index, f.pieces);
        }
      }),
    place: async (measurementId, places) =>
      database.relaxed(() =>
        runRows(
          place,
          places.map(({ archiveOffset, directoryOffset, index }) => ({
            id: measurementId,
            archiveOffset,
            directoryOffset,
            index,
          })),
        ),
      ),
    hide: async (measurementId) => void (await database.run(hide, Date.now(), measurementId)),
    dropFiles: async (measurementId, limit, remove) => {
      const { count } = await database.alone(
        'measurement_files',
        () => dropSome(measurementId, limit),
        ({ unused }) => {
          if (remove) for (const location of unused) remove(location);
        },
      );
      return count === limit;
    },
    total: async (measurementId, { files, bytes }, archive) =>
      void (await database.relaxed(() =>
        run(total, files, bytes, archive.version, archive.bytes, archive.directoryOffset, archive.tag, measurementId),
      )),
    makeAvailable: async (measurementId, at) => database.transaction(() => freeze(measurementId, at)),
    removeUnused: async (locations, remove) =>
      void (await database.alone(
        'measurement_files',
        () => unusedOf(locations),
        (unused) => unused.forEach(remove),
      )),
    touched: async (measurementId, files) =>
      database.relaxed(function* () {
        for (const { mtimeNs, ctimeNs, index, blocks, pieces } of files) {
          yield* run(touched, mtimeNs, ctimeNs, measurementId, index);
          yield* writeBlockSums(measurementId, index, blocks);
          if (pieces) yield* writePieces(measurementId, index, pieces);
        }
      }),
    verified: async (measurementId, at) => void (await database.run(verified, at, measurementId)),
    leastRecentlyVerified: async (before, asked) => database.one(selectLeastRecentlyVerified, before, asked),
    objectRestored: async (location, mtimeNs) => void (await database.run(restored, mtimeNs, location)),
  };
}

function* reserveUnlessTaken({
  id,
  title,
  ownerId,
  storage,
  root,
}: Parameters<RegistrationStore['reserve']>[0]): Transaction<boolean> {
  if ((yield* one(taken, id)) !== null) return false;
  yield* run(reserve, id, title, foldedKey(title), ownerId, storage, root, Date.now());
  return true;
}

function* addFiles(id: string, files: readonly RegisteredFile[]): Transaction<void> {
  yield* add(
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
      digestOfPieces(f),
    ]),
  );
  for (const { index, blocks, pieces } of files) {
    if (blocks) yield* writeBlockSums(id, index, blocks);
    if (pieces) yield* writePieces(id, index, pieces);
  }
}

function digestOfPieces({ pieces, piecesSha256 }: Pick<RegisteredFile, 'pieces' | 'piecesSha256'>): Uint8Array | null {
  if (piecesSha256 !== undefined) return piecesSha256;
  return pieces && piecesDigest(pieces);
}

function* freeze(measurementId: string, at: number): Transaction<boolean> {
  if ((yield* run(makeAvailable, at, at, measurementId)) > 0) {
    yield* tellOfMeasurement('run-registered', measurementId);
    for (const projectId of yield* all(grantedProjects, measurementId)) yield* tellProjectOf(measurementId, projectId);
    return true;
  }
  const row = yield* one(rowOf, measurementId);
  if (row) requirePossible(measurementTransitions, stageOf(row), 'freeze');
  return false;
}

function* dropSome(
  id: string,
  limit: number,
): Transaction<{ readonly count: number; readonly unused: readonly string[] }> {
  const locations = yield* returningAll(dropFiles, id, id, limit);
  return { count: locations.length, unused: yield* unusedOf(new Set(locations)) };
}
