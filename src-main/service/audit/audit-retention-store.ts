import type { Database } from '../database/port/database.ts';
import { readValue, write } from '../database/port/query.ts';
import { run } from '../database/port/steps.ts';

export type AuditTable = 'transfers' | 'downloads' | 'audit_events';

export interface AuditRetentionStore {
  /** Time of the newest row; null without one. */
  newest(): Promise<number | null>;
  /**
   * An upper bound of the number of rows, from the range of ids: rows are deleted from the oldest
   * on, so ids have few gaps.
   */
  rows(table: AuditTable): Promise<number>;
  /** Deletes a batch of the oldest rows. @returns how many. */
  removeOldest(table: AuditTable): Promise<number>;
  /** Deletes a batch of rows older than a time. @returns how many. */
  removeBefore(table: AuditTable, time: number): Promise<number>;
  /** Deletes user agents that were last used before a time. */
  removeUserAgents(time: number): Promise<void>;
}

// Each row is deleted from the table and up to four indexes; a step takes some milliseconds.
const rowsPerStep = 200;
const olderRows: Readonly<Record<AuditTable, string>> = {
  transfers: 'SELECT id FROM transfers WHERE started_at < ? ORDER BY started_at LIMIT ?',
  downloads: 'SELECT id FROM downloads WHERE started_at < ? ORDER BY started_at LIMIT ?',
  // In the order of ids, which is chronological unless the clock was changed.
  audit_events:
    'SELECT id FROM (SELECT id, at FROM audit_events ORDER BY id LIMIT 1000) AS oldest WHERE at < ? LIMIT ?',
};

const newest = readValue<[], number | null>(
  `SELECT max(at) FROM (SELECT at FROM audit_events WHERE id = (SELECT max(id) FROM audit_events)
     UNION ALL SELECT started_at FROM transfers WHERE id = (SELECT max(id) FROM transfers)) AS newest`,
);
const removeUserAgents = write<[number]>('DELETE FROM user_agents WHERE used_at < ?');

function queriesOf(table: AuditTable) {
  return {
    rows: readValue<[], number>(
      `SELECT coalesce((SELECT max(id) FROM ${table}) - (SELECT min(id) FROM ${table}) + 1, 0)`,
    ),
    removeOldest: write<[number]>(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ?)`),
    someBefore: readValue<[number, number], number>(olderRows[table]),
    removeBefore: write<[number, number]>(`DELETE FROM ${table} WHERE id IN (${olderRows[table]})`),
  };
}

const queries = {
  transfers: queriesOf('transfers'),
  downloads: queriesOf('downloads'),
  audit_events: queriesOf('audit_events'),
} satisfies Record<AuditTable, unknown>;

/**
 * Deletes old rows of the audit trail, in batches small enough not to delay other requests.
 */
export function auditRetentionStore(database: Database): AuditRetentionStore {
  return {
    newest: async () => database.one(newest),
    rows: async (table) => (await database.one(queries[table].rows)) ?? 0,
    removeOldest: async (table) => database.grouped(() => run(queries[table].removeOldest, rowsPerStep)),
    removeBefore: async (table, time) => {
      // Usually there is nothing to delete, which is found without a transaction.
      if ((await database.one(queries[table].someBefore, time, 1)) === null) return 0;
      return database.grouped(() => run(queries[table].removeBefore, time, rowsPerStep));
    },
    removeUserAgents: async (time) => void (await database.run(removeUserAgents, time)),
  };
}
