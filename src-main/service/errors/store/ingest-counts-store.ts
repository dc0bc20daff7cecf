import type Database from 'better-sqlite3';
import type { GroupCommit } from '../../database/group-commit.ts';

export interface IngestCount {
  readonly projectId: number;
  readonly hour: number;
  /** `accepted`, or the reason: a DropReason, or `item:TYPE`. */
  readonly outcome: string;
  readonly count: number;
}

export interface IngestCountsStore {
  add(counts: readonly IngestCount[]): Promise<void>;
}

/** Counts of received items by hour and outcome, in SQLite. */
export function ingestCountsStore(database: Database.Database, groupCommit: GroupCommit): IngestCountsStore {
  const exists = database.prepare<[number], number>('SELECT 1 FROM projects WHERE id = ?').pluck();
  const write = ingestCountWriter(database);
  return {
    add: async (counts) =>
      groupCommit.run(() => {
        // The project may have been removed since the item was counted.
        for (const one of counts)
          if (exists.get(one.projectId) !== undefined) write(one.projectId, one.hour, one.outcome, one.count);
      }),
  };
}

/** Counts items within another store's transaction. */
export function ingestCountWriter(
  database: Database.Database,
): (projectId: number, hour: number, outcome: string, count: number) => void {
  const add = database.prepare<[number, number, string, number]>(
    'INSERT INTO ingest_counts (project_id, hour, outcome, count) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
  );
  return (projectId, hour, outcome, count) => void add.run(projectId, hour, outcome, count);
}
