import type Sqlite from 'better-sqlite3';

/** Numbers that were never used as ids of a table and are not given again, without a query for each. */
export interface IdSource {
  next(): number;
}

/** The ids after the last one of a table with AUTOINCREMENT, for the only process that adds rows to it. */
export function sqliteIdSource(connection: Sqlite.Database, table: string): IdSource {
  // The sequence remains after rows were deleted.
  const sequence = connection.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  let last = sequence.get(table) ?? 0;
  return { next: () => (last += 1) };
}
