import type Database from 'better-sqlite3';
import type { GroupCommit } from '../database/group-commit.ts';

export type AuditTable = 'transfers' | 'downloads' | 'audit_events';

export interface AuditRetentionStore {
  /** When the newest row was written before this run; null for none. */
  newestBeforeStart(): number | null;
  /** At most so many: rows are removed from the oldest on, and numbers have next to no gaps. */
  rows(table: AuditTable): Promise<number>;
  /** Removes some of the oldest rows. @returns how many. */
  removeOldest(table: AuditTable): Promise<number>;
  /** Removes some of those from before a time. @returns how many. */
  removeBefore(table: AuditTable, time: number): Promise<number>;
  /** Removes user agents that no row has had since a time. */
  removeUserAgents(time: number): Promise<void>;
}

// Each goes out of the table and up to four indexes: some milliseconds together.
const rowsPerStep = 200;
const olderRows: Readonly<Record<AuditTable, string>> = {
  transfers: 'SELECT id FROM transfers WHERE started_at < ? ORDER BY started_at LIMIT ?',
  downloads: 'SELECT id FROM downloads WHERE started_at < ? ORDER BY started_at LIMIT ?',
  // In the order of their numbers, which is that of time but for a clock that was set.
  audit_events: 'SELECT id FROM (SELECT id, at FROM audit_events ORDER BY id LIMIT 1000) WHERE at < ? LIMIT ?',
};

/** Removes rows of the audit trail in SQLite; each call is a part that others hardly notice. */
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
      // Mostly there is nothing to do, and no transaction needed to see it.
      if (of(table).someBefore.get(time, 1) === undefined) return 0;
      return groupCommit.run(() => of(table).removeBefore.run(time, rowsPerStep).changes);
    },
    removeUserAgents: async (time) => void removeUserAgents.run(time),
  };
}
