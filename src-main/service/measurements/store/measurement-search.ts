import type { Reader } from '../../database/port/database.ts';
import { inNumbers, inTexts, joinInOrder, perEngine } from '../../database/port/dialect.ts';
import { read, readValue, type ReadQuery } from '../../database/port/query.ts';
import { inSteps } from '../../database/in-steps.ts';
import { foldedKey, likePattern } from '../../database/text-search.ts';
import { trigramQuery } from '../../database/trigrams.ts';
import { walkList, type FoundPage } from '../../database/walk-list.ts';
import { accessColumns, accessOrder, comparePositions, type AccessOrder, type ListPosition } from './access-order.ts';

// Up to this many matches are sorted for each page; a more frequent text is found quickly by
// walking the list.
const maxGathered = 5000;
const matchesPerQuery = 250;
// Rows examined by a search without the index; the total then counts as incomplete.
const maxWalked = 100_000;

const matching = readValue<{ query: string; pattern: string; limit: number }, number>(
  perEngine(
    'SELECT rowid FROM measurement_search WHERE measurement_search MATCH @query LIMIT @limit',
    'SELECT number FROM measurement_search WHERE text LIKE @pattern LIMIT @limit',
  ),
);
const isFilled = readValue<[], number>(`SELECT 1 FROM search_fills WHERE name = 'measurements' AND complete = 1`);
const fitting = readValue<{ ids: string; text: string }, string>(
  `SELECT id FROM measurements WHERE ${inTexts('id', '@ids')} AND (instr(lower(id), @text) > 0 OR instr(title_key, @text) > 0)`,
);

/**
 * Searches ids and titles in steps. Few matches are taken from the trigram index and sorted.
 * Otherwise the list is walked in its order, which fills a page quickly when matches are frequent;
 * searches for one or two letters, which the trigram index cannot answer, stop after `maxWalked`
 * rows.
 */
export function measurementSearch(
  database: Reader,
): (search: string, order: AccessOrder, limit: number, offset: number) => Promise<FoundPage<string>> {
  const list = accessOrder(database);
  /**
   * Returns the numbers of all measurements that the index finds; null when there are too many. In
   * the background instead of in steps, since each step would walk the index from its beginning.
   */
  async function gather(query: string, pattern: string): Promise<readonly number[] | null> {
    const numbers = await database.allInBackground(matching, { query, pattern, limit: maxGathered + 1 });
    return numbers.length > maxGathered ? null : numbers;
  }

  async function sorted(
    numbers: readonly number[],
    text: string,
    order: AccessOrder,
  ): Promise<readonly ListPosition[]> {
    const found: ListPosition[] = [];
    const readers = JSON.stringify(order.readers);
    const query = visible(accessColumns[order.sort]);
    let at = 0;
    await inSteps(database.steps, matchesPerQuery, async (size) => {
      const some = JSON.stringify(numbers.slice(at, at + size));
      found.push(...(await database.all(query, { numbers: some, readers, text, now: order.now })));
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
      steps: database.steps,
      places: async (after, size) => list.page({ ...order, after }, size, 0),
      fitting: async (ids) => database.all(fitting, { ids: JSON.stringify(ids), text }),
      after: order.after,
      limit,
      offset,
      counts: true,
      maxRows: maxWalked,
    });
  }

  return async (search, order, limit, offset) => {
    const text = foldedKey(search);
    const query = (await database.one(isFilled)) === null ? null : trigramQuery(text);
    const numbers = query === null ? null : await gather(query, likePattern(text));
    if (numbers === null) return walk(text, order, limit, offset);
    return pageOf(await sorted(numbers, text, order), order, limit, offset);
  };
}

function visible(
  column: string,
): ReadQuery<{ numbers: string; readers: string; text: string; now: number }, ListPosition> {
  const qualified = column.includes('(') ? column : `measurement_access.${column}`;
  return read(
    `SELECT DISTINCT ${qualified} AS "key", measurement_id AS id FROM measurements ${joinInOrder} measurement_access ON measurement_id = id
     WHERE ${inNumbers('number', '@numbers')} AND (instr(lower(id), @text) > 0 OR instr(measurements.title_key, @text) > 0)
       AND ${inNumbers('reader', '@readers')} AND until > @now`,
  );
}
