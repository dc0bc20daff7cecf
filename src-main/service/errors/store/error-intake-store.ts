import type Database from 'better-sqlite3';

export interface IntakeRow {
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

export interface IntakeStore {
  /** From an hour on. */
  since(projectId: number, hour: number): Promise<readonly IntakeRow[]>;
}

/** Reads what came in for a project, in SQLite; ingest-counts-store.ts writes it. */
export function intakeStore(database: Database.Database): IntakeStore {
  const since = database.prepare<[number, number], IntakeRow>('SELECT hour, outcome, count FROM ingest_counts WHERE project_id = ? AND hour >= ?');
  return { since: async (projectId, hour) => since.all(projectId, hour) };
}
