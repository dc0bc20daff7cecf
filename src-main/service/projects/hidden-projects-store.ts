import type Database from 'better-sqlite3';
import type { GroupCommit } from '../database/group-commit.ts';

export interface HiddenProjectsStore {
  /** Removed projects with remaining data. */
  all(): Promise<readonly number[]>;
  /** A batch of a project's errors. */
  errorsOf(projectId: number): Promise<readonly number[]>;
  /**
   * Deletes a batch of the remaining data besides errors, and with the last of it the project.
   * @returns whether the project is deleted.
   */
  removeSome(projectId: number): Promise<boolean>;
}

const errorsPerStep = 50;
const rowsPerStep = 200;
// Each grant has an access row in the indexes of all sort orders.
const grantsPerStep = 50;
// A source map may have megabytes.
const sourceMapsPerStep = 2;

/** Remaining data of removed projects, in SQLite. */
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
