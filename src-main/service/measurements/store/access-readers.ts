import type { Reader } from '../../database/port/database.ts';
import { readValue } from '../../database/port/query.ts';

const administrators = 0;
const everyone = 1;
const ofUser = (id: number): number => 2 * id;

const projects = readValue<[number], number>(
  `SELECT 2 * project_id + 1 AS reader FROM project_members WHERE user_id = ?
     AND EXISTS (SELECT 1 FROM measurement_access WHERE measurement_access.reader = 2 * project_id + 1)`,
);

/**
 * Selects the rows of `measurement_access` that apply to a user: their own, everyone's, and those
 * of their projects that have access to any measurement.
 *
 * @returns a function from the user (null for administrators, who may read all) to values of the
 * column `reader`.
 */
export async function accessReaders(database: Reader, visibleTo: number | null): Promise<readonly number[]> {
  if (visibleTo === null) return [administrators];
  return [ofUser(visibleTo), everyone, ...(await database.all(projects, visibleTo))];
}
