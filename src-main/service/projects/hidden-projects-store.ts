import type { Database } from '../database/port/database.ts';
import { readValue, write } from '../database/port/query.ts';
import { run } from '../database/port/steps.ts';

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

const all = readValue<[], number>("SELECT id FROM projects WHERE substr(path, 1, 1) = '-'");
const errorsOf = readValue<[number, number], number>('SELECT id FROM errors WHERE project_id = ? LIMIT ?');
const remove = write<[number]>('DELETE FROM projects WHERE id = ?');

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
  write<[number]>(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE project_id = ? LIMIT ${limit})`,
  ),
);

/** Remaining data of removed projects. */
export function hiddenProjectsStore(database: Database): HiddenProjectsStore {
  return {
    all: async () => database.all(all),
    errorsOf: async (projectId) => database.all(errorsOf, projectId, errorsPerStep),
    removeSome: async (projectId) =>
      database.grouped(function* () {
        for (const part of parts) if ((yield* run(part, projectId)) > 0) return false;
        yield* run(remove, projectId);
        return true;
      }),
  };
}
