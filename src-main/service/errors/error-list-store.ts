import type Database from 'better-sqlite3';
import { contains, likePattern } from '../database/text-search.ts';
import type { ErrorSort } from '../contract/errors.ts';
import type { ErrorSearch } from './error-list-search.ts';
import type { ErrorRow } from './error-rows.ts';

/** Where a page begins: behind the error with this value of the sorted column and this id. */
export interface ErrorPosition {
  readonly value: number;
  readonly id: number;
}

export interface ErrorListing {
  readonly projectId: number;
  readonly search: ErrorSearch;
  readonly sort: ErrorSort;
  readonly after: ErrorPosition | null;
  readonly limit: number;
}

export interface HourCount {
  readonly errorId: number;
  readonly hour: number;
  readonly events: number;
}

export interface ErrorListStore {
  /** The highest values of the sorted column first. */
  page(listing: ErrorListing): Promise<readonly ErrorRow[]>;
  count(projectId: number, search: ErrorSearch): Promise<number>;
  /** Events of errors by hour, from an hour on. */
  hours(errorIds: readonly number[], from: number): Promise<readonly HourCount[]>;
}

type Parameters = Record<string, string | number>;

/** The error list in SQLite. */
export function errorListStore(database: Database.Database): ErrorListStore {
  const hours = database.prepare<[string, number], HourCount>(
    `SELECT error_id AS errorId, hour, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
     WHERE error_id IN (SELECT value FROM json_each(?)) AND hour >= ? GROUP BY error_id, hour`,
  );
  return {
    page: async ({ projectId, search, sort, after, limit }) => {
      const { where, parameters } = conditions(projectId, search);
      // The first comparison says again what the second one implies, because an index can be entered by it.
      const behind = after === null ? '' : ` AND ${sort} <= @afterValue AND (${sort} < @afterValue OR id > @afterId)`;
      const position = after === null ? {} : { afterValue: after.value, afterId: after.id };
      return database
        .prepare<[Parameters], ErrorRow>(`SELECT * FROM errors WHERE ${where}${behind} ORDER BY ${sort} DESC, id LIMIT @limit`)
        .all({ ...parameters, ...position, limit });
    },
    count: async (projectId, search) => {
      const { where, parameters } = conditions(projectId, search);
      return database.prepare<[Parameters], number>(`SELECT count(*) FROM errors WHERE ${where}`).pluck().get(parameters) ?? 0;
    },
    hours: async (errorIds, from) => hours.all(JSON.stringify(errorIds), from),
  };
}

/** The search as SQL: fixed texts with parameters; a search has 20 parts at most. */
function conditions(projectId: number, search: ErrorSearch): { readonly where: string; readonly parameters: Parameters } {
  const parameters: Parameters = { projectId };
  const named = (value: string): `@${string}` => {
    const name = `p${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `@${name}`;
  };
  const where = ['project_id = @projectId', `status IN (${search.statuses.map(named).join(', ')})`];
  for (const level of search.levels) where.push(`level = ${named(level)}`);
  for (const [tag, value] of search.tags) {
    where.push(`id IN (SELECT error_id FROM error_tags JOIN error_groups ON error_groups.id = group_id
      WHERE error_groups.project_id = @projectId AND tag = ${named(tag)} AND error_tags.value = ${named(value)})`);
  }
  for (const word of search.words) where.push(contains(`(type || ': ' || value || ' ' || culprit)`, named(likePattern(word))));
  return { where: where.join(' AND '), parameters };
}
