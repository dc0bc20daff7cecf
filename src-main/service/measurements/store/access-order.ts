import type { Reader } from '../../database/port/database.ts';
import { indexedBy } from '../../database/port/dialect.ts';
import { read, readValue, type ReadQuery } from '../../database/port/query.ts';
import type { MeasurementSort } from '../../contract/measurements.ts';
import type { Place } from '../../database/walk-list.ts';

/** A position in the list of measurements. */
export type ListPosition = Place<string>;

export interface AccessOrder {
  readonly readers: readonly number[];
  readonly sort: MeasurementSort;
  readonly descending: boolean;
  /** Only rows after this position. */
  readonly after: ListPosition | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Values = Readonly<Record<string, string | number>>;

/** Sort columns of `measurement_access`; each has an index that begins with `reader`. */
export const accessColumns: Record<MeasurementSort, string> = {
  created_at: 'created_at',
  id: 'lower(measurement_id)',
  title: 'title_key',
  total_bytes: 'total_bytes',
  file_count: 'file_count',
  state: 'state',
};

// SQLite merges the sorted rows of up to this many readers in one statement; beyond it, pages are
// merged in this file.
const readersPerQuery = 50;

export interface AccessList {
  page(order: AccessOrder, limit: number, offset: number): Promise<readonly ListPosition[]>;
  /** Counts the measurements, up to `max`. */
  count(order: AccessOrder, max: number): Promise<number>;
}

/**
 * Lists the measurements that some readers may see in the order of a column, each once. The rows of
 * every reader are read in index order and merged, so that no rows after the end of the page are
 * read.
 */
export function accessOrder(database: Reader): AccessList {
  const queries = new Map<string, ReadQuery<Values, ListPosition>>();
  const counts = new Map<number, ReadQuery<Values, number>>();

  function queryOf(order: AccessOrder, readers: number): ReadQuery<Values, ListPosition> {
    const column = accessColumns[order.sort];
    const name = `${column} ${order.descending} ${order.after !== null} ${readers}`;
    let found = queries.get(name);
    if (!found) {
      const direction = order.descending ? 'DESC' : 'ASC';
      const behind =
        order.after === null ? '' : `AND (${column}, measurement_id) ${order.descending ? '<' : '>'} (@key, @id)`;
      const parts = Array.from(
        { length: readers },
        (_, at) =>
          `SELECT ${column} AS "key", measurement_id AS id FROM measurement_access ${indexedBy(`measurement_access_by_${order.sort === 'title' ? 'title_key' : order.sort}`)}
           WHERE reader = @reader${at} AND until > @now ${behind}`,
      );
      found = read(`${parts.join(' UNION ')} ORDER BY "key" ${direction}, id ${direction} LIMIT @limit OFFSET @offset`);
      queries.set(name, found);
    }
    return found;
  }

  async function part(
    order: AccessOrder,
    readers: readonly number[],
    limit: number,
    offset: number,
  ): Promise<readonly ListPosition[]> {
    const values = { ...numbered(readers), now: order.now, limit, offset, ...order.after };
    return database.all(queryOf(order, readers.length), values);
  }

  async function page(order: AccessOrder, limit: number, offset: number): Promise<readonly ListPosition[]> {
    if (order.readers.length <= readersPerQuery) return part(order, order.readers, limit, offset);
    const found = new Map<string, ListPosition>();
    for (let at = 0; at < order.readers.length; at += readersPerQuery) {
      for (const position of await part(order, order.readers.slice(at, at + readersPerQuery), limit + offset, 0))
        found.set(position.id, position);
    }
    return [...found.values()].toSorted(comparePositions(order.descending)).slice(offset, offset + limit);
  }

  function countQuery(readers: number): ReadQuery<Values, number> {
    let found = counts.get(readers);
    if (!found) {
      const parts = Array.from(
        { length: readers },
        (_, at) =>
          `SELECT created_at AS "key", measurement_id AS id FROM measurement_access ${indexedBy('measurement_access_by_created_at')} WHERE reader = @reader${at} AND until > @now`,
      );
      found = readValue(`SELECT count(*) FROM (${parts.join(' UNION ')} ORDER BY "key", id LIMIT @most) AS counted`);
      counts.set(readers, found);
    }
    return found;
  }

  return {
    page,
    count: async (order, max) => {
      if (order.readers.length > readersPerQuery)
        return (await page({ ...order, sort: 'created_at', after: null }, max, 0)).length;
      const values = { ...numbered(order.readers), now: order.now, most: max };
      return (await database.one(countQuery(order.readers.length), values)) ?? 0;
    },
  };
}

function numbered(readers: readonly number[]): Values {
  return Object.fromEntries(readers.map((reader, at) => [`reader${at}`, reader]));
}

/** Compares like SQLite: numbers by value, texts by their UTF-8 bytes, then the id. */
export function comparePositions(descending: boolean): (a: ListPosition, b: ListPosition) => number {
  const sign = descending ? -1 : 1;
  return (a, b) => sign * (compareKeys(a.key, b.key) || compareTexts(a.id, b.id));
}

function compareKeys(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    // By code points: JavaScript compares UTF-16 units, which sorts characters beyond U+FFFF before
    // some others.
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
  }
  return a.length - b.length;
}
