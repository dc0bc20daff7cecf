import type Database from 'better-sqlite3';
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

/** Maintains the access and search tables of measurements in SQLite. */
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
  // An update trigger on grants writes the access row again.
  const writeAgain = database.prepare<[number, number]>(
    'UPDATE grants SET until = until WHERE until > ? AND until <= ?',
  );
  const remove = database.prepare<[number, number]>(
    `DELETE FROM measurement_access WHERE (measurement_id, reader) IN
       (SELECT measurement_id, reader FROM measurement_access WHERE until <= ? AND until < 9007199254740991 LIMIT ?)`,
  );
  const removeEnded = database.transaction((now: number): boolean => {
    const ended = Number(before.get(endedTo) ?? 0);
    // The clock was set back, so grants that had ended are valid again.
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
