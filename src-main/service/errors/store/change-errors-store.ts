import type Database from 'better-sqlite3';
import type { ErrorStatus } from '../../contract/errors.ts';
import type { GroupCommit } from '../../database/group-commit.ts';

export interface ErrorChangesStore {
  /** @returns the number of errors whose status changed. */
  setStatus(projectId: number, ids: readonly number[], status: ErrorStatus, now: number): Promise<number>;
  /**
   * Removes some of an error's rows; when none are left, removes the error.
   *
   * @returns whether the error is removed.
   */
  removeSome(projectId: number, id: number): Promise<boolean>;
}

// Other writes wait during a step: events take most of the time, because of their payloads.
const eventsPerStep = 100;
const rowsPerStep = 500;

/** Changes of errors made by users, in SQLite. */
export function errorChangesStore(database: Database.Database, groupCommit: GroupCommit): ErrorChangesStore {
  const setStatus = database.prepare<[{ projectId: number; ids: string; status: ErrorStatus; now: number }]>(
    `UPDATE errors SET status = @status, resolved_at = iif(@status = 'resolved', @now, NULL), regressed_at = NULL
     WHERE id IN (SELECT value FROM json_each(@ids)) AND project_id = @projectId AND status <> @status`,
  );
  const groups = `(SELECT id FROM error_groups WHERE error_id = (SELECT id FROM errors WHERE id = @id AND project_id = @projectId))`;
  const parts = [
    ['error_events', 'id', eventsPerStep],
    ['error_users', 'group_id, user_hash', rowsPerStep],
    ['error_tags', 'group_id, tag, value', rowsPerStep],
    ['error_hours', 'group_id, hour', rowsPerStep],
  ].map(([table, key, limit]) =>
    database.prepare<[{ projectId: number; id: number }]>(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE group_id IN ${groups} LIMIT ${limit})`,
    ),
  );
  const remove = database.prepare<[{ projectId: number; id: number }]>(
    'DELETE FROM errors WHERE id = @id AND project_id = @projectId',
  );
  return {
    setStatus: async (projectId, ids, status, now) =>
      groupCommit.run(() => setStatus.run({ projectId, ids: JSON.stringify(ids), status, now }).changes),
    removeSome: async (projectId, id) =>
      groupCommit.run(() => {
        for (const part of parts) if (part.run({ projectId, id }).changes > 0) return false;
        remove.run({ projectId, id });
        return true;
      }),
  };
}
