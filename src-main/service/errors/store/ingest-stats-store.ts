import type Database from 'better-sqlite3';

export interface IngestStatsRow {
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

export interface IngestStatsStore {
  /** Returns the counts beginning with an hour. */
  since(projectId: number, hour: number): Promise<readonly IngestStatsRow[]>;
}

/** Reads the counts of items that a project received; ingest-counts-store.ts writes them. */
export function ingestStatsStore(database: Database.Database): IngestStatsStore {
  const since = database.prepare<[number, number], IngestStatsRow>(
    'SELECT hour, outcome, count FROM ingest_counts WHERE project_id = ? AND hour >= ?',
  );
  return { since: async (projectId, hour) => since.all(projectId, hour) };
}
