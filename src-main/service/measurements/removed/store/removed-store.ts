import { statesBefore } from '../../../../../src-shared/states/transitions.ts';
import type { Database, Transaction } from '../../../database/port/database.ts';
import { lockingRows } from '../../../database/port/dialect.ts';
import { read, readValue, write } from '../../../database/port/query.ts';
import { one, returning, run } from '../../../database/port/steps.ts';
import { stateList } from '../../../database/transition-sql.ts';
import { changedBy, isServed, stageOf } from '../../store/measurement-states.ts';
import { copyMeasurement, moveFiles, moveRest, dropEmptied } from './moved-rows.ts';
import { removedTransitions, type RemovedEvent, type RemovedStage } from './removed-states.ts';
import type { Kept, RemovedRow, RemovedStore, Restoring } from './removed-rows.ts';

const rows = `SELECT removed_measurements.*, kept.title, kept.storage, kept.object_key, kept.file_count, kept.total_bytes,
   owners.username AS owner_username, owners.name AS owner_name, removers.username AS removed_by_username
 FROM removed_measurements JOIN measurements AS kept ON kept.id = kept_id JOIN users AS owners ON owners.id = removed_measurements.owner_id
 LEFT JOIN users AS removers ON removers.id = removed_by`;
const shown = `removed_measurements.stage IN ('leaving', 'kept')`;
const newestFirst = 'ORDER BY removed_at DESC, removed_measurements.id DESC LIMIT @limit OFFSET @offset';

const wanted = `${shown} AND (CAST(@owner AS bigint) IS NULL OR removed_measurements.owner_id = @owner)
   AND (CAST(@name AS text) IS NULL OR measurement_id = @name)`;

interface Wanted {
  readonly owner: number | null;
  readonly name: string | null;
}

const page = read<Wanted & { readonly limit: number; readonly offset: number }, RemovedRow>(
  `${rows} WHERE ${wanted} ${newestFirst}`,
);
const count = readValue<Wanted, number>(`SELECT count(*) FROM removed_measurements WHERE ${wanted}`);
const byNumber = read<[number], RemovedRow>(`${rows} WHERE removed_measurements.id = ?`);
const measurement = read<[string], { owner_id: number } & Parameters<typeof stageOf>[0]>(
  'SELECT owner_id, state, registered_at FROM measurements WHERE id = ?',
);
const moving = read<[string], { id: number; stage: RemovedStage }>(
  `SELECT id, stage FROM removed_measurements WHERE measurement_id = ? AND stage IN ('leaving', 'restoring')`,
);
const hide = write<[string]>(`UPDATE measurements SET state = 'registering' WHERE id = ? AND ${changedBy('remove')}`);
const insert = write<[string, string, number, string, number, number | null, number], { id: number }>(
  `INSERT INTO removed_measurements (kept_id, measurement_id, owner_id, stage, state, removed_at, removed_by, expires_at)
   VALUES (?, ?, ?, 'leaving', ?, ?, ?, ?) RETURNING id`,
);
const locked = read<[number], Pick<RemovedRow, 'kept_id' | 'measurement_id' | 'stage' | 'state'>>(
  `SELECT kept_id, measurement_id, stage, state FROM removed_measurements WHERE id = ? ${lockingRows}`,
);
const taken = readValue<[string], number>('SELECT 1 FROM measurements WHERE lower(id) = lower(?)');
const nextStage: Readonly<Record<RemovedEvent, RemovedStage>> = {
  settle: 'kept',
  restore: 'restoring',
  purge: 'purging',
};
const enter = (event: RemovedEvent) =>
  write<[number]>(
    `UPDATE removed_measurements SET stage = '${nextStage[event]}'
     WHERE id = ? AND stage IN ${stateList(statesBefore(removedTransitions, event))}`,
  );
const settle = enter('settle');
const restore = enter('restore');
const purge = enter('purge');
const show = write<[string, string]>('UPDATE measurements SET state = ? WHERE id = ?');
const due = read<[number, number, number], RemovedRow>(
  `${rows} WHERE (stage <> 'kept' OR expires_at <= ?) AND removed_measurements.id > ? ORDER BY removed_measurements.id LIMIT ?`,
);
const unmarked = read<[number, number], RemovedRow>(
  `${rows} WHERE stage = 'kept' AND marked = 0 AND kept.object_key IS NOT NULL AND removed_measurements.id > ?
   ORDER BY removed_measurements.id LIMIT ?`,
);
const setMarked = write<[number, number]>(
  `UPDATE removed_measurements SET marked = ? WHERE id = ? AND stage IN ('leaving', 'kept')`,
);
const isObjectUsed = readValue<[string], number>(
  `SELECT 1 FROM measurements WHERE object_key = ? AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id)
     AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE measurement_id = measurements.id AND stage = 'leaving') LIMIT 1`,
);
const isObjectKept = readValue<[string], number>(
  `SELECT 1 FROM measurements JOIN removed_measurements ON kept_id = measurements.id
   WHERE object_key = ? AND stage IN ('leaving', 'kept') LIMIT 1`,
);

/** Keeps removed measurements until they are restored or purged. */
export function removedStore(database: Database): RemovedStore {
  return {
    byNumber: async (number) => database.one(byNumber, number),
    list: async ({ ownerId: owner, measurementId: name, limit, offset }) => ({
      rows: await database.all(page, { owner, name, limit, offset }),
      total: (await database.one(count, { owner, name })) ?? 0,
    }),
    keep: async (removal) => database.transaction(() => beginKeeping(removal)),
    putAside: async (number, limit) => database.locking(() => moveSome(number, 'leaving', limit)),
    settle: async (number) => database.transaction(() => settleKept(number)),
    beginRestoring: async (number) => database.transaction(() => reserveAgain(number)),
    putBack: async (number, limit) => database.locking(() => moveSome(number, 'restoring', limit)),
    finishRestoring: async (number) => database.transaction(() => showAgain(number)),
    beginPurging: async (number) => (await database.run(purge, number)) > 0,
    due: async (now, after, limit) => database.all(due, now, after, limit),
    unmarked: async (after, limit) => database.all(unmarked, after, limit),
    setMarked: async (number, marked) => (await database.run(setMarked, marked ? 1 : 0, number)) > 0,
    isObjectUsed: async (key) => (await database.one(isObjectUsed, key)) !== null,
    isObjectKept: async (key) => (await database.one(isObjectKept, key)) !== null,
    isMoving: async (measurementId) => (await database.one(moving, measurementId)) !== null,
  };
}

function* beginKeeping({
  measurementId,
  keptId,
  by,
  now,
  expiresAt,
}: Parameters<RemovedStore['keep']>[0]): Transaction<Kept> {
  const row = yield* one(measurement, measurementId);
  if (row === null) return { outcome: 'absent' };
  const begun = yield* one(moving, measurementId);
  if (begun) return begun.stage === 'restoring' ? { outcome: 'restoring' } : { outcome: 'kept', number: begun.id };
  if (!isServed(stageOf(row)) || row.state === 'registering') return { outcome: 'unfinished' };
  yield* run(hide, measurementId);
  yield* copyMeasurement(measurementId, keptId);
  const added = yield* returning(insert, keptId, measurementId, row.owner_id, row.state, now, by, expiresAt);
  if (!added) throw new Error('INSERT ... RETURNING gave no row');
  yield* moveRest(measurementId, keptId);
  return { outcome: 'kept', number: added.id };
}

/** Moves while the stage lasts: afterwards the id may belong to another measurement. */
function* moveSome(number: number, stage: 'leaving' | 'restoring', limit: number): Transaction<boolean> {
  const row = yield* one(locked, number);
  if (row?.stage !== stage) return false;
  return stage === 'leaving'
    ? yield* moveFiles(row.measurement_id, row.kept_id, limit)
    : yield* moveFiles(row.kept_id, row.measurement_id, limit);
}

function* settleKept(number: number): Transaction<void> {
  const row = yield* one(locked, number);
  if (!row || (yield* run(settle, number)) === 0) return;
  yield* dropEmptied(row.measurement_id);
}

function* reserveAgain(number: number): Transaction<Restoring> {
  const row = yield* one(locked, number);
  if (!row) return 'absent';
  if (row.stage !== 'kept') return 'not-kept';
  if ((yield* one(taken, row.measurement_id)) !== null) return 'id-taken';
  yield* run(restore, number);
  yield* copyMeasurement(row.kept_id, row.measurement_id);
  return 'begun';
}

function* showAgain(number: number): Transaction<boolean> {
  const row = yield* one(locked, number);
  if (row?.stage !== 'restoring') return false;
  yield* moveRest(row.kept_id, row.measurement_id);
  yield* run(show, row.state, row.measurement_id);
  // Its row of removed measurements goes with it.
  yield* dropEmptied(row.kept_id);
  return true;
}
