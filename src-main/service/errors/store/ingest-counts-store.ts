import type { Database, Transaction } from '../../database/port/database.ts';
import { readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';

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

const exists = readValue<[number], number>('SELECT 1 FROM projects WHERE id = ?');

const add = write<[number, number, string, number]>(
  `INSERT INTO ingest_counts (project_id, hour, outcome, count) VALUES (?, ?, ?, ?)
   ON CONFLICT (project_id, hour, outcome) DO UPDATE SET count = ingest_counts.count + excluded.count`,
);

/** Counts of received items by hour and outcome. */
export function ingestCountsStore(database: Database): IngestCountsStore {
  return {
    add: async (counts) =>
      database.grouped(function* () {
        // The project may have been removed since the item was counted.
        for (const { projectId, hour, outcome, count } of counts)
          if ((yield* one(exists, projectId)) !== null) yield* countIngest(projectId, hour, outcome, count);
      }),
  };
}

/** Counts items within another store's transaction. */
export function* countIngest(projectId: number, hour: number, outcome: string, count: number): Transaction<void> {
  yield* run(add, projectId, hour, outcome, count);
}
