import type Database from 'better-sqlite3';
import type { GroupCommit } from '../database/group-commit.ts';

export type AuditTable = 'transfers' | 'downloads' | 'audit_events';

export interface AuditRetentionStore {
  /** Time of the newest row that was written before this start; null without one. */
  newestBeforeStart(): number | null;
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
  audit_events: 'SELECT id FROM (SELECT id, at FROM audit_events ORDER BY id LIMIT 1000) WHERE at < ? LIMIT ?',
};

/**
 * Deletes old rows of the audit trail in SQLite, in batches small enough not to delay other
 * requests.
 */
export function auditRetentionStore(database: Database.Database, groupCommit: GroupCommit): AuditRetentionStore {
  const newest = database
    .prepare<[], number | null>(
      `SELECT max(at) FROM (SELECT at FROM audit_events WHERE id = (SELECT max(id) FROM audit_events)
       UNION ALL SELECT started_at FROM transfers WHERE id = (SELECT max(id) FROM transfers))`,
    )
    .pluck()
    .get();
  const prepared = (Object.keys(olderRows) as AuditTable[]).map(
    (table) =>
      [
        table,
        {
          rows: database
            .prepare<[], number>(
              `SELECT ifnull((SELECT max(id) FROM ${table}) - (SELECT min(id) FROM ${table}) + 1, 0)`,
            )
            .pluck(),
          removeOldest: database.prepare<[number]>(
            `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ?)`,
          ),
          someBefore: database.prepare<[number, number], number>(olderRows[table]).pluck(),
          removeBefore: database.prepare<[number, number]>(`DELETE FROM ${table} WHERE id IN (${olderRows[table]})`),
        },
      ] as const,
  );
  const of = (wanted: AuditTable) => {
    const found = prepared.find(([table]) => table === wanted)?.[1];
    if (!found) throw new Error(`${wanted} is no table of the audit trail`);
    return found;
  };
  const removeUserAgents = database.prepare<[number]>('DELETE FROM user_agents WHERE used_at < ?');
  return {
    newestBeforeStart: () => newest ?? null,
    rows: async (table) => of(table).rows.get() ?? 0,
    removeOldest: async (table) => groupCommit.run(() => of(table).removeOldest.run(rowsPerStep).changes),
    removeBefore: async (table, time) => {
      // Usually there is nothing to delete, which is found without a transaction.
      if (of(table).someBefore.get(time, 1) === undefined) return 0;
      return groupCommit.run(() => of(table).removeBefore.run(time, rowsPerStep).changes);
    },
    removeUserAgents: async (time) => void removeUserAgents.run(time),
  };
}
