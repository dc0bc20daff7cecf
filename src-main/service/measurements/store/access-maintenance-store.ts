import type { Database, Transaction } from '../../database/port/database.ts';
import { perEngine } from '../../database/port/dialect.ts';
import { readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import type { PurgeStore } from '../../database/purge.ts';

export interface AccessMaintenanceStore {
  /** Adds measurements registered before the search index existed to it, a batch at a time. */
  readonly searchFill: PurgeStore;
  /**
   * Removes access rows that ended more than ten minutes ago, so that lists need not skip them, and
   * restores them when the clock was set back by more than that.
   */
  readonly endedAccess: PurgeStore;
}

const measurementsPerStep = 100;
const rowsPerStep = 200;
/**
 * Rows stay for this long after access ended, in milliseconds, so that smaller clock corrections
 * have no effect.
 */
export const keptAfterEndMs = 600_000;
const endedTo = 'measurement-access.ended-to';

const filledTo = readValue<[], number>(
  `SELECT filled_to FROM search_fills WHERE name = 'measurements' AND complete = 0`,
);
const last = readValue<[number, number], number | null>(
  'SELECT max(number) FROM (SELECT number FROM measurements WHERE number > ? ORDER BY number LIMIT ?) AS step',
);
const index = write<[number, number]>(
  perEngine(
    `INSERT OR REPLACE INTO measurement_search (rowid, text)
     SELECT number, lower(id) || char(10) || title_key FROM measurements WHERE number > ? AND number <= ?`,
    `INSERT INTO measurement_search (number, text)
     SELECT number, lower(id) || chr(10) || title_key FROM measurements WHERE number > ? AND number <= ?
     ON CONFLICT (number) DO UPDATE SET text = excluded.text`,
  ),
);
const filled = write<[number, number]>(
  `UPDATE search_fills SET filled_to = ?, complete = ? WHERE name = 'measurements'`,
);
const before = readValue<[string], string>('SELECT value FROM settings WHERE key = ?');
const remember = write<[string, string]>(
  'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
);
// An update trigger on grants writes the access row again.
const writeAgain = write<[number, number]>('UPDATE grants SET until = until WHERE until > ? AND until <= ?');
const remove = write<[number, number]>(
  `DELETE FROM measurement_access WHERE (measurement_id, reader) IN
     (SELECT measurement_id, reader FROM measurement_access WHERE until <= ? AND until < 9007199254740991 LIMIT ?)`,
);

function* fill(): Transaction<boolean> {
  const from = yield* one(filledTo);
  if (from === null) return false;
  const to = yield* one(last, from, measurementsPerStep);
  if (to !== null) yield* run(index, from, to);
  yield* run(filled, to ?? from, Number(to === null));
  return to !== null;
}

function* removeEnded(now: number): Transaction<boolean> {
  const ended = Number((yield* one(before, endedTo)) ?? 0);
  // The clock was set back, so grants that had ended are valid again.
  if (now < ended) yield* run(writeAgain, now, ended);
  const changes = yield* run(remove, now, rowsPerStep);
  if (changes > 0 || now < ended) yield* run(remember, endedTo, String(now < ended ? now : Math.max(now, ended)));
  return changes === rowsPerStep;
}

/** Maintains the access and search tables of measurements. */
export function accessMaintenanceStore(database: Database): AccessMaintenanceStore {
  return {
    searchFill: { purgeSome: async () => database.transaction(() => fill()) },
    endedAccess: { purgeSome: async (now) => database.transaction(() => removeEnded(now - keptAfterEndMs)) },
  };
}
