import type Database from 'better-sqlite3';
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
  page(order: AccessOrder, limit: number, offset: number): ListPosition[];
  /** Counts the measurements, up to `max`. */
  count(order: AccessOrder, max: number): number;
}

/**
 * Lists the measurements that some readers may see in the order of a column, each once. The rows of
 * every reader are read in index order and merged, so that no rows after the end of the page are
 * read.
 */
export function accessOrder(database: Database.Database): AccessList {
  const statements = new Map<string, Database.Statement<[Values], ListPosition>>();
  const counts = new Map<number, Database.Statement<[Values], number>>();

  function statement(order: AccessOrder, readers: number): Database.Statement<[Values], ListPosition> {
    const column = accessColumns[order.sort];
    const name = `${column} ${order.descending} ${order.after !== null} ${readers}`;
    let found = statements.get(name);
    if (!found) {
      const direction = order.descending ? 'DESC' : 'ASC';
      const behind =
        order.after === null ? '' : `AND (${column}, measurement_id) ${order.descending ? '<' : '>'} (@key, @id)`;
      const parts = Array.from(
        { length: readers },
        (_, at) =>
          `SELECT ${column} AS "key", measurement_id AS id FROM measurement_access INDEXED BY measurement_access_by_${order.sort === 'title' ? 'title_key' : order.sort}
           WHERE reader = @reader${at} AND until > @now ${behind}`,
      );
      found = database.prepare(
        `${parts.join(' UNION ')} ORDER BY "key" ${direction}, id ${direction} LIMIT @limit OFFSET @offset`,
      );
      statements.set(name, found);
    }
    return found;
  }

  function part(order: AccessOrder, readers: readonly number[], limit: number, offset: number): ListPosition[] {
    return statement(order, readers.length).all({
      ...numbered(readers),
      now: order.now,
      limit,
      offset,
      ...order.after,
    });
  }

  function page(order: AccessOrder, limit: number, offset: number): ListPosition[] {
    if (order.readers.length <= readersPerQuery) return part(order, order.readers, limit, offset);
    const found = new Map<string, ListPosition>();
    for (let at = 0; at < order.readers.length; at += readersPerQuery) {
      for (const position of part(order, order.readers.slice(at, at + readersPerQuery), limit + offset, 0))
        found.set(position.id, position);
    }
    return [...found.values()].toSorted(comparePositions(order.descending)).slice(offset, offset + limit);
  }

  function countStatement(readers: number): Database.Statement<[Values], number> {
    let found = counts.get(readers);
    if (!found) {
      const parts = Array.from(
        { length: readers },
        (_, at) =>
          `SELECT created_at AS "key", measurement_id AS id FROM measurement_access INDEXED BY measurement_access_by_created_at WHERE reader = @reader${at} AND until > @now`,
      );
      found = database
        .prepare<[Values], number>(`SELECT count(*) FROM (${parts.join(' UNION ')} ORDER BY "key", id LIMIT @most)`)
        .pluck();
      counts.set(readers, found);
    }
    return found;
  }

  return {
    page,
    count: (order, max) => {
      if (order.readers.length > readersPerQuery)
        return page({ ...order, sort: 'created_at', after: null }, max, 0).length;
      return countStatement(order.readers.length).get({ ...numbered(order.readers), now: order.now, most: max }) ?? 0;
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
