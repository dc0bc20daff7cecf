import type Database from 'better-sqlite3';
import type { GroupCommit } from '../database/group-commit.ts';

export interface HiddenProjectsStore {
  /** Projects that were removed and of which something is left. */
  all(): Promise<readonly number[]>;
  /** Some of a project's errors. */
  errorsOf(projectId: number): Promise<readonly number[]>;
  /** Removes some of what is left besides errors, and the project with the last of it. @returns whether it is gone. */
  removeSome(projectId: number): Promise<boolean>;
}

const errorsAtOnce = 50;
const rowsAtOnce = 200;
// Each has a row of access with the indexes of all orders.
const grantsAtOnce = 50;
// Each may have megabytes.
const mapsAtOnce = 2;

/** What is left of removed projects, in SQLite. */
export function hiddenProjectsStore(database: Database.Database, groupCommit: GroupCommit): HiddenProjectsStore {
  const all = database.prepare<[], number>("SELECT id FROM projects WHERE substr(path, 1, 1) = '-'").pluck();
  const errorsOf = database.prepare<[number, number], number>('SELECT id FROM errors WHERE project_id = ? LIMIT ?').pluck();
  const parts = (
    [
      ['grants', 'id', grantsAtOnce],
      ['source_maps', 'id', mapsAtOnce],
      ['release_sessions', 'project_id, session_id', rowsAtOnce],
      ['release_users', 'project_id, release, environment, day, user_hash', rowsAtOnce],
      ['release_days', 'project_id, release, environment, day', rowsAtOnce],
      ['ingest_counts', 'project_id, hour, outcome', rowsAtOnce],
    ] as const
  ).map(([table, key, most]) =>
    database.prepare<[number]>(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE project_id = ? LIMIT ${most})`),
  );
  const remove = database.prepare<[number]>('DELETE FROM projects WHERE id = ?');
  return {
    all: async () => all.all(),
    errorsOf: async (projectId) => errorsOf.all(projectId, errorsAtOnce),
    removeSome: async (projectId) =>
      groupCommit.run(() => {
        for (const part of parts) if (part.run(projectId).changes > 0) return false;
        remove.run(projectId);
        return true;
      }),
  };
}
