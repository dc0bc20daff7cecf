import type Database from 'better-sqlite3';
import { contains, likePattern } from '../../database/text-search.ts';
import { maxCounted, totalOf, type Total } from '../../database/totals.ts';
import { walkList, type FoundPage, type Place } from '../../database/walk-list.ts';
import type { ErrorSort } from '../../contract/errors.ts';
import type { ErrorSearch } from './error-list-search.ts';
import type { ErrorRow } from './error-rows.ts';

/** Cursor of a page: it begins after the error with this value of the sorted column and this id. */
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
  /** Returns the highest values of the sorted column first. */
  page(listing: ErrorListing): Promise<readonly ErrorRow[]>;
  count(projectId: number, search: ErrorSearch): Promise<Total>;
  /** Returns the events of errors by hour, beginning with hour `from`. */
  hours(errorIds: readonly number[], from: number): Promise<readonly HourCount[]>;
}

type Parameters = Record<string, string | number>;

/**
 * The error list in SQLite: one sorted query per status, merged from an index. A search walks the
 * list in that order, in steps.
 */
export function errorListStore(database: Database.Database): ErrorListStore {
  const hours = database.prepare<[string, number], HourCount>(
    `SELECT error_id AS errorId, hour, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
     WHERE error_id IN (SELECT value FROM json_each(?)) AND hour >= ? GROUP BY error_id, hour`,
  );
  const byId = database.prepare<[string], ErrorRow>(
    'SELECT * FROM errors WHERE id IN (SELECT value FROM json_each(?))',
  );

  function ordered({ projectId, search, sort, after }: Omit<ErrorListing, 'limit'>): {
    readonly sql: string;
    readonly parameters: Parameters;
  } {
    const parameters: Parameters = {
      projectId,
      ...(after === null ? {} : { afterValue: after.value, afterId: after.id }),
    };
    // The first comparison is implied by the second; it lets SQLite enter the index at this value.
    const behind = after === null ? '' : `AND ${sort} <= @afterValue AND (${sort} < @afterValue OR id > @afterId)`;
    const parts = search.statuses.map((status, at) => {
      parameters[`status${at}`] = status;
      return `SELECT ${sort} AS "key", id FROM errors INDEXED BY errors_by_${sort} WHERE project_id = @projectId AND status = @status${at} ${behind}`;
    });
    return { sql: `${parts.join(' UNION ALL ')} ORDER BY "key" DESC, id LIMIT @limit`, parameters };
  }

  function placesOf(listing: ErrorListing): readonly Place<number>[] {
    const { sql, parameters } = ordered(listing);
    return database.prepare<[Parameters], Place<number>>(sql).all({ ...parameters, limit: listing.limit });
  }

  async function found(listing: ErrorListing, counts: boolean): Promise<FoundPage<number>> {
    const { where, parameters } = conditions(listing.search);
    const fitting = database
      .prepare<[Parameters], number>(
        `SELECT id FROM errors WHERE id IN (SELECT value FROM json_each(@ids)) AND ${where}`,
      )
      .pluck();
    return walkList<number>({
      places: async (after, size) =>
        placesOf({ ...listing, after: after && { value: Number(after.key), id: after.id }, limit: size }),
      fitting: async (ids) => fitting.all({ ...parameters, ids: JSON.stringify(ids) }),
      after: listing.after && { key: listing.after.value, id: listing.after.id },
      limit: listing.limit,
      offset: 0,
      counts,
    });
  }

  return {
    page: async (listing) => {
      const places = isFiltered(listing.search) ? (await found(listing, false)).places : placesOf(listing);
      const rows = new Map(byId.all(JSON.stringify(places.map(({ id }) => id))).map((row) => [row.id, row]));
      return places.flatMap(({ id }) => rows.get(id) ?? []);
    },
    count: async (projectId, search) => {
      const listing = { projectId, search, sort: 'last_seen', after: null, limit: maxCounted + 1 } as const;
      if (isFiltered(search)) return (await found(listing, true)).total;
      const { sql, parameters } = ordered(listing);
      return totalOf(
        database
          .prepare<[Parameters], number>(`SELECT count(*) FROM (${sql})`)
          .pluck()
          .get({ ...parameters, limit: listing.limit }) ?? 0,
      );
    },
    hours: async (errorIds, from) => hours.all(JSON.stringify(errorIds), from),
  };
}

function isFiltered({ levels, tags, words }: ErrorSearch): boolean {
  return levels.length + tags.length + words.length > 0;
}

/**
 * Builds the SQL conditions of a search, apart from the status: fixed texts with parameters. A
 * search has at most 20 parts.
 */
function conditions(search: ErrorSearch): { readonly where: string; readonly parameters: Parameters } {
  const parameters: Parameters = {};
  const named = (value: string): `@${string}` => {
    const name = `p${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `@${name}`;
  };
  const where = search.levels.map((level) => `level = ${named(level)}`);
  for (const [tag, value] of search.tags) {
    where.push(`EXISTS (SELECT 1 FROM error_groups CROSS JOIN error_tags ON error_tags.group_id = error_groups.id
      WHERE error_groups.error_id = errors.id AND tag = ${named(tag)} AND error_tags.value = ${named(value)})`);
  }
  for (const word of search.words)
    where.push(contains(`(type || ': ' || value || ' ' || culprit)`, named(likePattern(word))));
  return { where: where.join(' AND '), parameters };
}
