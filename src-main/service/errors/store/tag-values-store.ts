import type Database from 'better-sqlite3';
import { putBounded } from '../../common/bounded-map.ts';

export interface TagCount {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

/**
 * Limit per tag of a group. A tag such as a request id would otherwise have a row for each event,
 * without limit; users look at the first thousand values.
 */
const maxValues = 1000;
const maxKnown = 10_000;
/**
 * Cached counts expire, because a transaction that failed may have rolled back the rows they
 * include.
 */
const keepMs = 60_000;

interface Known {
  readonly until: number;
  values: number;
}

/**
 * Counts tag values within a transaction that writes events. The number of values per tag is
 * cached, because an event has up to a hundred tags, and counting a thousand rows for each blocked
 * the event loop for milliseconds.
 *
 * @param now milliseconds of a monotonic clock.
 */
export function tagValueWriter(
  database: Database.Database,
  now: () => number = () => performance.now(),
): (groupId: number, tag: string, value: string, count: TagCount) => void {
  const update = database.prepare<[number, number, number, string, string]>(
    'UPDATE error_tags SET events = events + ?, last_seen = max(last_seen, ?) WHERE group_id = ? AND tag = ? AND value = ?',
  );
  const insert = database.prepare<[number, string, string, number, number]>(
    'INSERT INTO error_tags (group_id, tag, value, events, last_seen) VALUES (?, ?, ?, ?, ?)',
  );
  const countValues = database
    .prepare<[number, string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE group_id = ? AND tag = ? LIMIT ${maxValues})`,
    )
    .pluck();
  const known = new Map<string, Known>();

  function knownOf(groupId: number, tag: string): Known {
    const key = `${groupId} ${tag}`;
    const before = known.get(key);
    if (before && now() < before.until) return before;
    const counted = { until: now() + keepMs, values: countValues.get(groupId, tag) ?? 0 };
    putBounded(known, maxKnown, key, counted);
    return counted;
  }

  return (groupId, tag, value, { count, last }) => {
    if (update.run(count, last, groupId, tag, value).changes > 0) return;
    const one = knownOf(groupId, tag);
    if (one.values >= maxValues) return;
    insert.run(groupId, tag, value, count, last);
    one.values += 1;
  };
}
