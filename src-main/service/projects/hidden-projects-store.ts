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

const errorsPerStep = 50;
const rowsPerStep = 200;
// Each has a row of access with the indexes of all orders.
const grantsPerStep = 50;
// Each may have megabytes.
const sourceMapsPerStep = 2;

/** What is left of removed projects, in SQLite. */
export function hiddenProjectsStore(database: Database.Database, groupCommit: GroupCommit): HiddenProjectsStore {
  const all = database.prepare<[], number>("SELECT id FROM projects WHERE substr(path, 1, 1) = '-'").pluck();
  const errorsOf = database
    .prepare<[number, number], number>('SELECT id FROM errors WHERE project_id = ? LIMIT ?')
    .pluck();
  const parts = (
    [
      ['grants', 'id', grantsPerStep],
      ['source_maps', 'id', sourceMapsPerStep],
      ['release_sessions', 'project_id, session_id', rowsPerStep],
      ['release_users', 'project_id, release, environment, day, user_hash', rowsPerStep],
      ['release_days', 'project_id, release, environment, day', rowsPerStep],
      ['ingest_counts', 'project_id, hour, outcome', rowsPerStep],
    ] as const
  ).map(([table, key, limit]) =>
    database.prepare<[number]>(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE project_id = ? LIMIT ${limit})`,
    ),
  );
  const remove = database.prepare<[number]>('DELETE FROM projects WHERE id = ?');
  return {
    all: async () => all.all(),
    errorsOf: async (projectId) => errorsOf.all(projectId, errorsPerStep),
    removeSome: async (projectId) =>
      groupCommit.run(() => {
        for (const part of parts) if (part.run(projectId).changes > 0) return false;
        remove.run(projectId);
        return true;
      }),
  };
}
