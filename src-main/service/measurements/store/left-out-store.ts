import type { Database } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';

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

const keep = write<[string, number, string]>(
  `INSERT INTO measurement_left_out (measurement_id, total, names) VALUES (?, ?, ?)
   ON CONFLICT (measurement_id) DO UPDATE SET total = excluded.total, names = excluded.names`,
);
const find = read<[string], { readonly total: number; readonly names: string }>(
  'SELECT total, names FROM measurement_left_out WHERE measurement_id = ?',
);

/** Stores what registrations left out. */
export function leftOutStore(database: Database): LeftOutStore {
  return {
    keep: async (measurementId, total, names) =>
      void (await database.run(keep, measurementId, total, JSON.stringify(names))),
    of: async (measurementId) => {
      const row = await database.one(find, measurementId);
      return row ? { total: row.total, names: JSON.parse(row.names) as string[] } : null;
    },
  };
}
