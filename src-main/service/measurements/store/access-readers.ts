import type Database from 'better-sqlite3';

const administrators = 0;
const everyone = 1;
const ofUser = (id: number): number => 2 * id;

/**
 * The rows of `measurement_access` that hold for a user: their own, everyone's, and those of projects that they are a member of and that may read anything.
 *
 * @returns a function from the user (null for administrators, who may read all) to values of the column `reader`.
 */
export function accessReaders(database: Database.Database): (visibleTo: number | null) => readonly number[] {
  const projects = database
    .prepare<[number], number>(
      `SELECT 2 * project_id + 1 AS reader FROM project_members WHERE user_id = ?
         AND EXISTS (SELECT 1 FROM measurement_access WHERE measurement_access.reader = 2 * project_id + 1)`,
    )
    .pluck();
  return (visibleTo) =>
    visibleTo === null ? [administrators] : [ofUser(visibleTo), everyone, ...projects.all(visibleTo)];
}
