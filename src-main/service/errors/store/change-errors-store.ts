import type { Database } from '../../database/port/database.ts';
import { inNumbers } from '../../database/port/dialect.ts';
import { write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import type { ErrorStatus } from '../../contract/errors.ts';

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

const setStatus = write<{ projectId: number; ids: string; status: ErrorStatus; now: number }>(
  `UPDATE errors SET status = @status, resolved_at = CASE WHEN @status = 'resolved' THEN CAST(@now AS bigint) END, regressed_at = NULL
   WHERE ${inNumbers('id', '@ids')} AND project_id = @projectId AND status <> @status`,
);
const remove = write<{ projectId: number; id: number }>(
  'DELETE FROM errors WHERE id = @id AND project_id = @projectId',
);

const groups = `(SELECT id FROM error_groups WHERE error_id = (SELECT id FROM errors WHERE id = @id AND project_id = @projectId))`;
const parts = [
  ['error_events', 'id', eventsPerStep],
  ['error_users', 'group_id, user_hash', rowsPerStep],
  ['error_tags', 'group_id, tag, value', rowsPerStep],
  ['error_hours', 'group_id, hour', rowsPerStep],
  ['error_minutes', 'group_id, minute', rowsPerStep],
].map(([table, key, limit]) =>
  write<{ projectId: number; id: number }>(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE group_id IN ${groups} LIMIT ${limit})`,
  ),
);

/** Changes of errors made by users. */
export function errorChangesStore(database: Database): ErrorChangesStore {
  return {
    setStatus: async (projectId, ids, status, now) =>
      database.grouped(() => run(setStatus, { projectId, ids: JSON.stringify(ids), status, now })),
    removeSome: async (projectId, id) =>
      database.grouped(function* () {
        for (const part of parts) if ((yield* run(part, { projectId, id })) > 0) return false;
        yield* run(remove, { projectId, id });
        return true;
      }),
  };
}
