import type { Database, Transaction } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { all, run, runRows } from '../../database/port/steps.ts';
import { perEngine, rowsOf } from '../../database/port/dialect.ts';
import { pagesOf } from './block-sums.ts';
import { unusedOf } from './library-use.ts';

/** An object that no measurement uses any more. */
export interface RemovedObject {
  readonly object_key: string;
  readonly measurement_id: string;
  readonly length: number;
}

export interface ObjectsStore {
  /** Returns the CRC-32 of up to 1024 blocks of an object. */
  sums(measurementId: string, page: number): Promise<Uint8Array | null>;
  /**
   * Has the archive of a measurement read from an announced object from now on. @returns false when
   * it was removed meanwhile.
   */
  assign(measurementId: string, key: string, sums: Uint8Array): Promise<boolean>;
  /**
   * Forgets where files of a measurement lay in the library, now that an object holds them. `remove`
   * is called with each place that nothing uses, in the same transaction.
   *
   * @returns whether there may be more.
   */
  leaveLibrary(measurementId: string, limit: number, remove: (location: string) => void): Promise<boolean>;
  /** Has a measurement read from the library again; its object is removed later. */
  release(measurementId: string, now: number): Promise<void>;
  /** Whether any measurement lies in an object storage. */
  any(): Promise<boolean>;
  /**
   * Objects removed before a time, but for those of measurements that are being registered or use
   * them, and of uploads whose parts they get.
   */
  removedBefore(time: number, limit: number): Promise<readonly RemovedObject[]>;
  /** Notes an object before it is put, so that it is removed later unless it is assigned. */
  announce(object: RemovedObject, now: number): Promise<void>;
  /** Claims a removed object for its removal. @returns false when it is in use again. */
  claim(key: string): Promise<boolean>;
}

const sumsOfPage = readValue<[string, number], Buffer>(
  'SELECT sums FROM object_blocks WHERE measurement_id = ? AND page = ?',
);
const assign = write<[string, string]>('UPDATE measurements SET object_key = ? WHERE id = ?');
const clear = write<[string]>('DELETE FROM object_blocks WHERE measurement_id = ?');
const insert = write<[string, number, Uint8Array]>(
  'INSERT INTO object_blocks (measurement_id, page, sums) VALUES (?, ?, ?)',
);
const keep = write<[string]>('DELETE FROM removed_objects WHERE object_key = ?');
const claim = write<[string]>(
  `DELETE FROM removed_objects WHERE object_key = ?
     AND NOT EXISTS (SELECT 1 FROM measurements WHERE measurements.object_key = removed_objects.object_key)
     AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.object_key = removed_objects.object_key AND ended_at IS NULL)`,
);
const inLibrary = read<[string, number], { readonly idx: number; readonly location: string }>(
  `SELECT idx, location FROM measurement_files WHERE measurement_id = ? AND location <> '' ORDER BY idx LIMIT ?`,
);
const leave = write<{ id: string; index: number }>(
  perEngine(
    `UPDATE measurement_files SET location = '' WHERE measurement_id = @id AND idx = @index`,
    `UPDATE measurement_files SET location = '' FROM ${rowsOf('@rows', 'id text, index bigint')} WHERE measurement_id = x.id AND idx = x.index`,
  ),
);
const release = write<[string]>('UPDATE measurements SET object_key = NULL WHERE id = ?');
const any = readValue<[], number>(
  `SELECT 1 FROM measurements WHERE object_key IS NOT NULL AND state <> 'registering' LIMIT 1`,
);
const removedBefore = read<[number, number], RemovedObject>(
  `SELECT object_key, measurement_id, length FROM removed_objects
   WHERE removed_at < ? AND NOT EXISTS (
     SELECT 1 FROM measurements WHERE id = measurement_id AND state = 'registering')
     AND NOT EXISTS (SELECT 1 FROM measurements WHERE object_key = removed_objects.object_key)
     AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.object_key = removed_objects.object_key AND ended_at IS NULL)
   ORDER BY removed_at, object_key LIMIT ?`,
);
const announce = write<[string, string, number, number]>(
  `INSERT INTO removed_objects (object_key, measurement_id, length, removed_at) VALUES (?, ?, ?, ?)
   ON CONFLICT (object_key) DO UPDATE SET removed_at = excluded.removed_at`,
);
const remember = write<[number, string]>(
  `INSERT INTO removed_objects (object_key, measurement_id, length, removed_at)
   SELECT object_key, ifnull(measurement_id, measurements.id), archive_bytes, ifnull(removed_at, ?)
   FROM measurements LEFT JOIN removed_measurements ON kept_id = measurements.id
   WHERE measurements.id = ? AND object_key IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM measurements AS other WHERE other.object_key = measurements.object_key AND other.id <> measurements.id)
   ON CONFLICT (object_key) DO NOTHING`,
);

/** The objects that hold the archives of measurements. */
export function objectsStore(database: Database): ObjectsStore {
  return {
    sums: async (measurementId, page) => database.one(sumsOfPage, measurementId, page),
    assign: async (measurementId, key, sums) => database.transaction(() => assignObject(measurementId, key, sums)),
    leaveLibrary: async (measurementId, limit, remove) => {
      const { count } = await database.alone(
        'measurement_files',
        () => leaveSome(measurementId, limit),
        ({ unused }) => unused.forEach(remove),
      );
      return count === limit;
    },
    release: async (measurementId, now) => database.transaction(() => releaseObject(measurementId, now)),
    any: async () => (await database.one(any)) !== null,
    removedBefore: async (time, limit) => database.all(removedBefore, time, limit),
    announce: async ({ object_key: key, measurement_id: id, length }, now) =>
      void (await database.run(announce, key, id, length, now)),
    claim: async (key) => (await database.run(claim, key)) > 0,
  };
}

/** Notes that the object of a measurement, if it has one, is to be removed later. */
export function* rememberObject(measurementId: string, now: number): Transaction<void> {
  yield* run(remember, now, measurementId);
}

function* assignObject(measurementId: string, key: string, sums: Uint8Array): Transaction<boolean> {
  // Without its announcement it was claimed, and is being removed.
  if ((yield* run(keep, key)) === 0) throw new Error(`${key} was not announced`);
  if ((yield* run(assign, key, measurementId)) === 0) {
    yield* run(announce, key, measurementId, 0, Date.now());
    return false;
  }
  yield* run(clear, measurementId);
  for (const [page, part] of pagesOf(sums).entries()) yield* run(insert, measurementId, page, part);
  return true;
}

function* releaseObject(measurementId: string, now: number): Transaction<void> {
  yield* run(remember, now, measurementId);
  yield* run(release, measurementId);
  yield* run(clear, measurementId);
}

function* leaveSome(
  measurementId: string,
  limit: number,
): Transaction<{ readonly count: number; readonly unused: readonly string[] }> {
  const files = yield* all(inLibrary, measurementId, limit);
  yield* runRows(
    leave,
    files.map(({ idx }) => ({ id: measurementId, index: idx })),
  );
  return { count: files.length, unused: yield* unusedOf(new Set(files.map(({ location }) => location))) };
}
