import type { Database } from '../../database/port/database.ts';
import { read } from '../../database/port/query.ts';

export interface IngestStatsRow {
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

export interface IngestStatsStore {
  /** Returns the counts beginning with an hour. */
  since(projectId: number, hour: number): Promise<readonly IngestStatsRow[]>;
}

const since = read<[number, number], IngestStatsRow>(
  'SELECT hour, outcome, count FROM ingest_counts WHERE project_id = ? AND hour >= ?',
);

/** Reads the counts of items that a project received; ingest-counts-store.ts writes them. */
export function ingestStatsStore(database: Database): IngestStatsStore {
  return { since: async (projectId, hour) => database.all(since, projectId, hour) };
}
