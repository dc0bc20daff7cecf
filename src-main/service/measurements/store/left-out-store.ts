import type Database from 'better-sqlite3';

/**
 * Names that a registration skipped because they cannot be registered: their number, and the first
 * 10,000 with reasons.
 */
export interface LeftOut {
  readonly total: number;
  readonly names: readonly string[];
}

export interface LeftOutStore {
  keep(measurementId: string, total: number, names: readonly string[]): Promise<void>;
  /** @returns null when nothing was left out. */
  of(measurementId: string): Promise<LeftOut | null>;
}

/** Stores in SQLite what registrations left out. */
export function leftOutStore(database: Database.Database): LeftOutStore {
  const keep = database.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO measurement_left_out (measurement_id, total, names) VALUES (?, ?, ?)',
  );
  const find = database.prepare<[string], { readonly total: number; readonly names: string }>(
    'SELECT total, names FROM measurement_left_out WHERE measurement_id = ?',
  );
  return {
    keep: async (measurementId, total, names) => void keep.run(measurementId, total, JSON.stringify(names)),
    of: async (measurementId) => {
      const row = find.get(measurementId);
      return row ? { total: row.total, names: JSON.parse(row.names) as string[] } : null;
    },
  };
}
