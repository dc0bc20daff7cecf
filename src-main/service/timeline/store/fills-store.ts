import type { Database, Transaction } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { all, one, run } from '../../database/port/steps.ts';
import type { PurgeStore } from '../../database/purge.ts';
import { maxAheadMs, millisecondsOf, minFileTime } from '../../measurements/store/file-times.ts';

export interface TimelineFills {
  /** Reads the times of measurements that were registered before these were kept. */
  readonly measurementTimes: PurgeStore;
  /** Counts events by minute that were stored before these were counted, the latest first. */
  readonly errorMinutes: PurgeStore;
}

const measurementsPerStep = 100;
const filesPerStep = 10_000;
const eventsPerStep = 2000;

const filledTo = readValue<[string], number>('SELECT filled_to FROM search_fills WHERE name = ? AND complete = 0');
const filled = write<[number, number, string]>('UPDATE search_fills SET filled_to = ?, complete = ? WHERE name = ?');

const numbered = read<[number, number], { number: number; files: number }>(
  'SELECT number, file_count AS files FROM measurements WHERE number > ? ORDER BY number LIMIT ?',
);
// A time from before the measurement came with its upload. Otherwise it is that of the file, which in the
// library may be an older one of another measurement that has the same bytes.
const readTimes = write<{ after: number; last: number; earliest: number }>(
  `UPDATE measurements SET (began_at, ended_at) = (
     SELECT min(at), max(at) FROM (
       SELECT CASE WHEN files.registered_at < measurements.created_at THEN files.registered_at ELSE ${millisecondsOf('files.mtime_ns')} END AS at
       FROM measurement_files AS files WHERE files.measurement_id = measurements.id
         AND (measurements.storage = 'reference' OR measurements.object_key IS NOT NULL OR files.registered_at < measurements.created_at
           OR NOT EXISTS (SELECT 1 FROM measurement_files AS other WHERE other.location = files.location AND other.measurement_id <> files.measurement_id))
     ) AS times WHERE at BETWEEN @earliest AND ifnull(measurements.registered_at, measurements.created_at) + ${maxAheadMs})
   WHERE number > @after AND number <= @last AND began_at IS NULL AND state <> 'registering'`,
);
const lowest = readValue<[number, number], number | null>(
  'SELECT min(id) FROM (SELECT id FROM error_events WHERE id <= ? ORDER BY id DESC LIMIT ?) AS step',
);
const countMinutes = write<[number, number]>(
  `INSERT INTO error_minutes (group_id, minute, events)
   SELECT group_id, occurred_at / 60000, count(*) FROM error_events WHERE id BETWEEN ? AND ? GROUP BY group_id, occurred_at / 60000
   ON CONFLICT (group_id, minute) DO UPDATE SET events = error_minutes.events + excluded.events`,
);

function* fillTimes(): Transaction<boolean> {
  const name = 'measurement-times';
  const after = yield* one(filledTo, name);
  if (after === null) return false;
  let [files, last] = [0, after];
  for (const row of yield* all(numbered, after, measurementsPerStep)) {
    if (files > 0 && files + row.files > filesPerStep) break;
    files += row.files;
    last = row.number;
  }
  if (last > after) yield* run(readTimes, { after, last, earliest: minFileTime });
  yield* run(filled, last, Number(last === after), name);
  return last > after;
}

function* fillMinutes(): Transaction<boolean> {
  const name = 'error-minutes';
  const to = yield* one(filledTo, name);
  if (to === null) return false;
  const from = yield* one(lowest, to, eventsPerStep);
  if (from !== null) yield* run(countMinutes, from, to);
  yield* run(filled, from === null ? 0 : from - 1, Number(from === null), name);
  return from !== null;
}

/** Fills in what rows from before the migration lack, a batch at a time. */
export function timelineFills(database: Database): TimelineFills {
  return {
    measurementTimes: { purgeSome: async () => database.transaction(() => fillTimes()) },
    errorMinutes: { purgeSome: async () => database.transaction(() => fillMinutes()) },
  };
}
