import type Database from 'better-sqlite3';

const administrators = 0;
const everyone = 1;
const ofUser = (id: number): number => 2 * id;

/**
 * Selects the rows of `measurement_access` that apply to a user: their own, everyone's, and those
 * of their projects that have access to any measurement.
 *
 * @returns a function from the user (null for administrators, who may read all) to values of the
 * column `reader`.
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
