import type Database from 'better-sqlite3';

export interface IngestStatsRow {
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

export interface IngestStatsStore {
  /** From an hour on. */
  since(projectId: number, hour: number): Promise<readonly IngestStatsRow[]>;
}

/** Reads what came in for a project, in SQLite; ingest-counts-store.ts writes it. */
export function ingestStatsStore(database: Database.Database): IngestStatsStore {
  const since = database.prepare<[number, number], IngestStatsRow>(
    'SELECT hour, outcome, count FROM ingest_counts WHERE project_id = ? AND hour >= ?',
  );
  return { since: async (projectId, hour) => since.all(projectId, hour) };
}
