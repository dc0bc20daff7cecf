import type { Database } from '../../../database/port/database.ts';
import { indexedBy, inNumbers, joinInOrder } from '../../../database/port/dialect.ts';
import { read, readValue } from '../../../database/port/query.ts';
import { contains, likePattern } from '../../../database/text-search.ts';
import { maxCounted, totalOf, type Total } from '../../../database/totals.ts';
import { walkList, type FoundPage, type Place } from '../../../database/walk-list.ts';
import type { ErrorSort } from '../../../contract/errors.ts';
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

export const hours = read<[string, number], HourCount>(
  `SELECT error_id AS "errorId", hour, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
   WHERE ${inNumbers('error_id', '?')} AND hour >= ? GROUP BY error_id, hour`,
);
const byId = read<[string], ErrorRow>(`SELECT * FROM errors WHERE ${inNumbers('id', '?')}`);

/**
 * The error list: one sorted query per status, merged from an index. A search walks the
 * list in that order, in steps.
 */
export function errorListStore(database: Database): ErrorListStore {
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
      return `SELECT ${sort} AS "key", id FROM errors ${indexedBy(`errors_by_${sort}`)} WHERE project_id = @projectId AND status = @status${at} ${behind}`;
    });
    return { sql: `${parts.join(' UNION ALL ')} ORDER BY "key" DESC, id LIMIT @limit`, parameters };
  }

  async function placesOf(listing: ErrorListing): Promise<readonly Place<number>[]> {
    const { sql, parameters } = ordered(listing);
    return database.all(read<Parameters, Place<number>>(sql), { ...parameters, limit: listing.limit });
  }

  async function found(listing: ErrorListing, counts: boolean): Promise<FoundPage<number>> {
    const { where, parameters } = conditions(listing.search);
    const fitting = readValue<Parameters, number>(
      `SELECT id FROM errors WHERE ${inNumbers('id', '@ids')} AND ${where}`,
    );
    return walkList<number>({
      steps: database.steps,
      places: async (after, size) =>
        placesOf({ ...listing, after: after && { value: Number(after.key), id: after.id }, limit: size }),
      fitting: async (ids) => database.all(fitting, { ...parameters, ids: JSON.stringify(ids) }),
      after: listing.after && { key: listing.after.value, id: listing.after.id },
      limit: listing.limit,
      offset: 0,
      counts,
    });
  }

  return {
    page: async (listing) => {
      const places = isFiltered(listing.search) ? (await found(listing, false)).places : await placesOf(listing);
      const rows = new Map(
        (await database.all(byId, JSON.stringify(places.map(({ id }) => id)))).map((row) => [row.id, row]),
      );
      return places.flatMap(({ id }) => rows.get(id) ?? []);
    },
    count: async (projectId, search) => {
      const listing = { projectId, search, sort: 'last_seen', after: null, limit: maxCounted + 1 } as const;
      if (isFiltered(search)) return (await found(listing, true)).total;
      const { sql, parameters } = ordered(listing);
      const counted = readValue<Parameters, number>(`SELECT count(*) FROM (${sql}) AS listed`);
      return totalOf((await database.one(counted, { ...parameters, limit: listing.limit })) ?? 0);
    },
    hours: async (errorIds, from) => database.all(hours, JSON.stringify(errorIds), from),
  };
}

export function isFiltered({ levels, tags, words }: ErrorSearch): boolean {
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
    where.push(`EXISTS (SELECT 1 FROM error_groups ${joinInOrder} error_tags ON error_tags.group_id = error_groups.id
      WHERE error_groups.error_id = errors.id AND tag = ${named(tag)} AND error_tags.value = ${named(value)})`);
  }
  for (const word of search.words)
    where.push(contains(`(type || ': ' || value || ' ' || culprit)`, named(likePattern(word))));
  return { where: where.join(' AND '), parameters };
}
