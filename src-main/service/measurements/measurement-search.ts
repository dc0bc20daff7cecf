import type Database from 'better-sqlite3';
import { inSteps } from '../database/in-steps.ts';
import { foldedKey } from '../database/text-search.ts';
import { mostCounted, type Total } from '../database/totals.ts';
import { trigramQuery } from '../database/trigrams.ts';
import { accessColumns, accessOrder, comparePositions, type AccessOrder, type ListPosition } from './access-order.ts';

export interface FoundPage {
  readonly positions: readonly ListPosition[];
  readonly total: Total;
  /** How far the list was looked through: where the rest of the search begins. Null when there is no rest. */
  readonly next: ListPosition | null;
}

// So many matches are sorted for each page; a text with more of them is found soon by walking the list.
const mostGathered = 5000;
const gatheredTogether = 250;
// A search without help of an index ends here, and says so.
const mostWalked = 100_000;
// With the page full, so many rows more are looked at to say how many there are.
const mostWalkedToCount = 20_000;

/**
 * Searches ids and titles, in steps. Few matches come out of the index of trigrams and are sorted. Otherwise the list is walked in its order, which soon
 * fills a page when the matches are many; for one or two letters, of which the index knows nothing, it ends after a number of rows.
 */
export function measurementSearch(database: Database.Database): (search: string, order: AccessOrder, limit: number, offset: number) => Promise<FoundPage> {
  const list = accessOrder(database);
  const highest = database.prepare<[], number | null>('SELECT max(number) FROM measurements').pluck();
  const matching = database
    .prepare<[{ query: string; above: number; upTo: number; limit: number }], number>(
      'SELECT rowid FROM measurement_search WHERE measurement_search MATCH @query AND rowid > @above AND rowid <= @upTo ORDER BY rowid LIMIT @limit',
    )
    .pluck();
  const isFilled = database.prepare<[], number>(`SELECT 1 FROM search_fills WHERE name = 'measurements' AND complete = 1`).pluck();
  const fitting = database
    .prepare<[{ ids: string; text: string }], string>(
      `SELECT id FROM measurements WHERE id IN (SELECT value FROM json_each(@ids)) AND (instr(lower(id), @text) OR instr(title_key, @text))`,
    )
    .pluck();
  const visible = new Map<string, Database.Statement<[{ numbers: string; readers: string; text: string; now: number }], ListPosition>>();

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

  /** Numbers of all measurements that the index finds, or null when they are too many. */
  async function gather(query: string): Promise<readonly number[] | null> {
    const numbers: number[] = [];
    const end = highest.get() ?? 0;
    let above = 0;
    await inSteps(20_000, (size) => {
      numbers.push(...matching.all({ query, above, upTo: above + size, limit: mostGathered + 1 - numbers.length }));
      above += size;
      return above < end && numbers.length <= mostGathered;
    });
    return numbers.length > mostGathered ? null : numbers;
  }

  async function sorted(numbers: readonly number[], text: string, order: AccessOrder): Promise<readonly ListPosition[]> {
    const found: ListPosition[] = [];
    const readers = JSON.stringify(order.readers);
    const statement = visibleStatement(accessColumns[order.sort]);
    let at = 0;
    await inSteps(gatheredTogether, (size) => {
      const some = JSON.stringify(numbers.slice(at, at + size));
      found.push(...statement.all({ numbers: some, readers, text, now: order.now }));
      at += size;
      return at < numbers.length;
    });
    return found.toSorted(comparePositions(order.descending));
  }

  function pageOf(all: readonly ListPosition[], order: AccessOrder, limit: number, offset: number): FoundPage {
    const compare = comparePositions(order.descending);
    const { after } = order;
    const rest = after === null ? all.slice(offset) : all.filter((position) => compare(position, after) > 0);
    const positions = rest.slice(0, limit);
    return { positions, total: { count: all.length, complete: true }, next: rest.length > limit ? (positions.at(-1) ?? null) : null };
  }

  async function walk(text: string, order: AccessOrder, limit: number, offset: number): Promise<FoundPage> {
    const found: ListPosition[] = [];
    let after = order.after;
    let walked = 0;
    let counted = 0;
    let ended = false;
    let mostToWalk = mostWalked;
    await inSteps(500, (size) => {
      const rows = list.page({ ...order, after }, size, 0);
      const fits = new Set(fitting.all({ ids: JSON.stringify(rows.map(({ id }) => id)), text }));
      for (const row of rows) {
        if (!fits.has(row.id)) continue;
        counted += 1;
        if (counted > offset && found.length < limit) found.push(row);
      }
      walked += rows.length;
      after = rows.at(-1) ?? after;
      ended = rows.length < size;
      if (found.length === limit && mostToWalk === mostWalked) mostToWalk = Math.min(mostWalked, walked + mostWalkedToCount);
      return !ended && counted <= mostCounted && walked < mostToWalk;
    });
    const over = ended && counted <= offset + limit;
    // A full page is followed by what lies behind its last row, another one by what was not looked at.
    const next = over ? null : found.length === limit ? (found.at(-1) ?? null) : after;
    return { positions: found, total: { count: Math.min(counted, mostCounted), complete: ended && order.after === null && counted <= mostCounted }, next };
  }

  return async (search, order, limit, offset) => {
    const text = foldedKey(search);
    const query = isFilled.get() === undefined ? null : trigramQuery(text);
    const numbers = query === null ? null : await gather(query);
    if (numbers === null) return walk(text, order, limit, offset);
    return pageOf(await sorted(numbers, text, order), order, limit, offset);
  };
}
