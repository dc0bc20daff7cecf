import type Database from 'better-sqlite3';
import { inSteps } from '../../database/in-steps.ts';
import { foldedKey } from '../../database/text-search.ts';
import { trigramQuery } from '../../database/trigrams.ts';
import { walkList, type FoundPage } from '../../database/walk-list.ts';
import { accessColumns, accessOrder, comparePositions, type AccessOrder, type ListPosition } from './access-order.ts';

// So many matches are sorted for each page; a text with more of them is found soon by walking the list.
const maxGathered = 5000;
const matchesPerQuery = 250;
// A search without help of the index ends here, and its total says so.
const maxWalked = 100_000;

/**
 * Searches ids and titles, in steps. Few matches come out of the index of trigrams and are sorted. Otherwise the list is walked in its order, which soon
 * fills a page when the matches are many; for one or two letters, of which the index knows nothing, it ends after a number of rows.
 */
export function measurementSearch(
  database: Database.Database,
): (search: string, order: AccessOrder, limit: number, offset: number) => Promise<FoundPage<string>> {
  const list = accessOrder(database);
  const matching = database
    .prepare<[{ query: string; limit: number }], number>(
      'SELECT rowid FROM measurement_search WHERE measurement_search MATCH @query LIMIT @limit',
    )
    .pluck();
  const isFilled = database
    .prepare<[], number>(`SELECT 1 FROM search_fills WHERE name = 'measurements' AND complete = 1`)
    .pluck();
  const fitting = database
    .prepare<[{ ids: string; text: string }], string>(
      `SELECT id FROM measurements WHERE id IN (SELECT value FROM json_each(@ids)) AND (instr(lower(id), @text) OR instr(title_key, @text))`,
    )
    .pluck();
  const visible = new Map<
    string,
    Database.Statement<[{ numbers: string; readers: string; text: string; now: number }], ListPosition>
  >();

  function visibleStatement(column: string) {
    let statement = visible.get(column);
    if (!statement) {
      const qualified = column.includes('(') ? column : `measurement_access.${column}`;
      statement = database.prepare(
        `SELECT DISTINCT ${qualified} AS "key", measurement_id AS id FROM measurements CROSS JOIN measurement_access ON measurement_id = id
         WHERE number IN (SELECT value FROM json_each(@numbers)) AND (instr(lower(id), @text) OR instr(measurements.title_key, @text))
           AND reader IN (SELECT value FROM json_each(@readers)) AND until > @now`,
      );
      visible.set(column, statement);
    }
    return statement;
  }

  /** Numbers of all measurements that the index finds, or null when they are too many. Not in steps: each would walk the index from its beginning. */
  function gather(query: string): readonly number[] | null {
    const numbers = matching.all({ query, limit: maxGathered + 1 });
    return numbers.length > maxGathered ? null : numbers;
  }

  async function sorted(
    numbers: readonly number[],
    text: string,
    order: AccessOrder,
  ): Promise<readonly ListPosition[]> {
    const found: ListPosition[] = [];
    const readers = JSON.stringify(order.readers);
    const statement = visibleStatement(accessColumns[order.sort]);
    let at = 0;
    await inSteps(matchesPerQuery, (size) => {
      const some = JSON.stringify(numbers.slice(at, at + size));
      found.push(...statement.all({ numbers: some, readers, text, now: order.now }));
      at += size;
      return at < numbers.length;
    });
    return found.toSorted(comparePositions(order.descending));
  }

  function pageOf(all: readonly ListPosition[], order: AccessOrder, limit: number, offset: number): FoundPage<string> {
    const compare = comparePositions(order.descending);
    const { after } = order;
    const rest = after === null ? all.slice(offset) : all.filter((position) => compare(position, after) > 0);
    const places = rest.slice(0, limit);
    return {
      places,
      total: { count: all.length, complete: true },
      next: rest.length > limit ? (places.at(-1) ?? null) : null,
    };
  }

  async function walk(text: string, order: AccessOrder, limit: number, offset: number): Promise<FoundPage<string>> {
    return walkList({
      places: (after, size) => list.page({ ...order, after }, size, 0),
      fitting: (ids) => fitting.all({ ids: JSON.stringify(ids), text }),
      after: order.after,
      limit,
      offset,
      counts: true,
      maxRows: maxWalked,
    });
  }

  return async (search, order, limit, offset) => {
    const text = foldedKey(search);
    const query = isFilled.get() === undefined ? null : trigramQuery(text);
    const numbers = query === null ? null : gather(query);
    if (numbers === null) return walk(text, order, limit, offset);
    return pageOf(await sorted(numbers, text, order), order, limit, offset);
  };
}
