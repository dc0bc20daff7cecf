import type Database from 'better-sqlite3';

/** What a registration left out because it cannot be registered: how many names, and the first ten thousand, each with its reason. */
export interface LeftOut {
  readonly total: number;
  readonly names: readonly string[];
}

export interface LeftOutStore {
  keep(measurementId: string, total: number, names: readonly string[]): Promise<void>;
  /** Null when nothing was left out. */
  of(measurementId: string): Promise<LeftOut | null>;
}

/** What registrations left out, in SQLite. */
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
