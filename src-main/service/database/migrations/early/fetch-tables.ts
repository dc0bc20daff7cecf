import type Database from 'better-sqlite3';
import { fetching, fetchTables } from './0004-fetching.ts';
import { lettersOfLists, titleKeyOfFetches } from './0018-letters-of-lists.ts';

/**
 * The migrations of the tables of fetches, with the numbers of the migrations that contain them.
 */
const steps: readonly (readonly [number: number, sql: string])[] = [
  [fetching.number, fetchTables],
  [lettersOfLists.number, titleKeyOfFetches],
];

/**
 * Creates or migrates the tables of fetches in a separate database, as beside the target of
 * `benchport download`.
 *
 * @throws Error when another version of Benchport made them.
 */
export function migrateFetchTables(database: Database.Database): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  const place = steps.findIndex(([number]) => number === version);
  if (version !== 0 && place === -1) throw new Error('it belongs to another version of Benchport');
  database.transaction(() => {
    for (const [number, sql] of steps.slice(place + 1)) {
      database.exec(sql);
      database.pragma(`user_version = ${number}`);
    }
  })();
}
