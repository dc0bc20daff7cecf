import type Database from 'better-sqlite3';
import type { PurgeStore } from '../../database/purge.ts';

export interface AccessMaintenanceStore {
  /** Adds older measurements to the index of searches, a few at a time. */
  readonly searchFill: PurgeStore;
  /**
   * Removes rows of access that ended more than ten minutes ago, so that lists need not pass over them, and writes them again when the clock was set back
   * by more than that.
   */
  readonly endedAccess: PurgeStore;
}

const measurementsPerStep = 100;
const rowsPerStep = 200;
/** What ended within it still stands in its row, milliseconds: a clock that is corrected by less makes no difference. */
export const keptAfterEndMs = 600_000;
const endedTo = 'measurement-access.ended-to';

/** Keeps the tables beside the measurements ready for lists and searches, in SQLite. */
export function accessMaintenanceStore(database: Database.Database): AccessMaintenanceStore {
  const filledTo = database
    .prepare<[], number>(`SELECT filled_to FROM search_fills WHERE name = 'measurements' AND complete = 0`)
    .pluck();
  const last = database
    .prepare<[number, number], number | null>(
      'SELECT max(number) FROM (SELECT number FROM measurements WHERE number > ? ORDER BY number LIMIT ?)',
    )
    .pluck();
  const index = database.prepare<[number, number]>(
    `INSERT OR REPLACE INTO measurement_search (rowid, text)
     SELECT number, lower(id) || char(10) || title_key FROM measurements WHERE number > ? AND number <= ?`,
  );
  const filled = database.prepare<[number, number]>(
    `UPDATE search_fills SET filled_to = ?, complete = ? WHERE name = 'measurements'`,
  );
  const fill = database.transaction((): boolean => {
    const from = filledTo.get();
    if (from === undefined) return false;
    const to = last.get(from, measurementsPerStep) ?? null;
    if (to !== null) index.run(from, to);
    filled.run(to ?? from, Number(to === null));
    return to !== null;
  });

  const before = database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const remember = database.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  // The trigger of a changed grant writes its row of access again.
  const writeAgain = database.prepare<[number, number]>(
    'UPDATE grants SET until = until WHERE until > ? AND until <= ?',
  );
  const remove = database.prepare<[number, number]>(
    `DELETE FROM measurement_access WHERE (measurement_id, reader) IN
       (SELECT measurement_id, reader FROM measurement_access WHERE until <= ? AND until < 9007199254740991 LIMIT ?)`,
  );
  const removeEnded = database.transaction((now: number): boolean => {
    const ended = Number(before.get(endedTo) ?? 0);
    // The clock was set back: what had ended holds again.
    if (now < ended) writeAgain.run(now, ended);
    const { changes } = remove.run(now, rowsPerStep);
    if (changes > 0 || now < ended) remember.run(endedTo, String(now < ended ? now : Math.max(now, ended)));
    return changes === rowsPerStep;
  });
  return {
    searchFill: { purgeSome: async () => fill.immediate() },
    endedAccess: { purgeSome: async (now) => removeEnded.immediate(now - keptAfterEndMs) },
  };
}
