import type { Database } from '../../../database/port/database.ts';
import { read, readValue } from '../../../database/port/query.ts';
import { containsWord, foldedPattern, lowerAscii } from '../../../database/text-search.ts';
import { maxCounted, totalOf } from '../../../database/totals.ts';
import type { ErrorRow } from './error-rows.ts';
import type { ErrorSearch } from './error-list-search.ts';
import { hours, isFiltered, type ErrorListing, type ErrorListStore } from './error-list-store.ts';

type Parameters = Record<string, string | number>;

// Up to this many matches are sorted for each page; more frequent ones fill a page quickly when the
// list is read in its order.
const maxSorted = 500;
// Groups with a value of a tag up to which a search begins at the tag.
const maxTagged = 2000;

const tagged = readValue<{ tag: string; value: string; most: number }, number>(
  `SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE tag = @tag AND value = @value LIMIT @most) AS counted`,
);

interface Conditions {
  readonly where: string;
  readonly parameters: Parameters;
}

/**
 * `errorListStore` for PostgreSQL, where each statement costs a way over the network, and rows that
 * are only counted do not block the event loop: a page is one statement or two, a count is one.
 */
export function postgresErrorListStore(database: Database): ErrorListStore {
  /** A tag of few groups, at which the search begins. */
  async function rareTag({ tags }: ErrorSearch): Promise<number | null> {
    for (const [at, [tag, value]] of tags.entries())
      if (((await database.one(tagged, { tag, value, most: maxTagged + 1 })) ?? 0) <= maxTagged) return at;
    return null;
  }

  /** The matches of a search from a place on, sorted; null when there are too many to sort. */
  async function fewMatches(listing: ErrorListing, found: Conditions): Promise<readonly ErrorRow[] | null> {
    const { projectId, search, sort, limit } = listing;
    const query = read<Parameters, ErrorRow & { readonly matches: number }>(
      `SELECT *, count(*) OVER () AS matches
       FROM (SELECT * FROM errors WHERE ${ofStatuses(search)} ${behind(listing)} AND ${found.where} LIMIT @most) AS listed
       ORDER BY ${sort} DESC, id LIMIT @limit`,
    );
    const rows = await database.all(query, {
      ...found.parameters,
      ...placeOf(listing),
      projectId,
      limit,
      most: maxSorted + 1,
    });
    if (rows.some(({ matches }) => matches > maxSorted)) return null;
    return rows.map(({ matches: _matches, ...row }) => row);
  }

  /** Reads each status in the order of the list, from an index. */
  async function inOrder(listing: ErrorListing, { where, parameters }: Conditions): Promise<readonly ErrorRow[]> {
    const { projectId, search, sort, limit } = listing;
    const parts = search.statuses.map(
      (_status, at) =>
        `(SELECT * FROM errors WHERE project_id = @projectId AND status = @status${at} ${behind(listing)} AND ${where} ORDER BY ${sort} DESC, id LIMIT @limit)`,
    );
    const query = read<Parameters, ErrorRow>(
      `SELECT * FROM (${parts.join(' UNION ALL ')}) AS listed ORDER BY ${sort} DESC, id LIMIT @limit`,
    );
    return database.all(query, { ...parameters, ...placeOf(listing), projectId, limit });
  }

  return {
    page: async (listing) => {
      const found = conditions(listing.search, await rareTag(listing.search));
      return (isFiltered(listing.search) ? await fewMatches(listing, found) : null) ?? inOrder(listing, found);
    },
    count: async (projectId, search) => {
      const { where, parameters } = conditions(search, 'any');
      const counted = readValue<Parameters, number>(
        `SELECT count(*) FROM (SELECT 1 FROM errors WHERE ${ofStatuses(search)} AND ${where} LIMIT @most) AS listed`,
      );
      return totalOf((await database.one(counted, { ...parameters, projectId, most: maxCounted + 1 })) ?? 0);
    },
    hours: async (errorIds, from) => database.all(hours, JSON.stringify(errorIds), from),
  };
}

function ofStatuses({ statuses }: ErrorSearch): string {
  return `project_id = @projectId AND status IN (${statuses.map((_status, at) => `@status${at}`).join(', ')})`;
}

function behind({ sort, after }: ErrorListing): string {
  return after === null ? '' : `AND ${sort} <= @afterValue AND (${sort} < @afterValue OR id > @afterId)`;
}

function placeOf({ after }: ErrorListing): Parameters {
  return after === null ? {} : { afterValue: after.value, afterId: after.id };
}

/**
 * The conditions of a search, apart from the status.
 *
 * @param start the tag whose groups may be looked up first. With the others, PostgreSQL would judge
 * by its statistics, which know nothing of a tag and its value together, and gather millions of
 * groups before the first row of a page.
 */
function conditions(search: ErrorSearch, start: number | 'any' | null): Conditions {
  const parameters: Parameters = Object.fromEntries(search.statuses.map((status, at) => [`status${at}`, status]));
  let values = 0;
  const named = (value: string): `@${string}` => {
    const name = `p${values}`;
    values += 1;
    parameters[name] = value;
    return `@${name}`;
  };
  const where = search.levels.map((level) => `level = ${named(level)}`);
  for (const [at, [tag, value]] of search.tags.entries()) {
    const each = start === 'any' || start === at ? '' : 'OFFSET 0';
    where.push(`EXISTS (SELECT 1 FROM error_groups JOIN error_tags ON error_tags.group_id = error_groups.id
      WHERE error_groups.error_id = errors.id AND tag = ${named(tag)} AND error_tags.value = ${named(value)} ${each})`);
  }
  for (const word of search.words)
    where.push(
      containsWord(`(type || ': ' || value || ' ' || culprit)`, named(lowerAscii(word)), named(foldedPattern(word))),
    );
  return { where: where.length === 0 ? 'TRUE' : where.join(' AND '), parameters };
}
