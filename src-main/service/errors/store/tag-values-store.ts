import { LRUCache } from 'lru-cache';
import type { Transaction } from '../../database/port/database.ts';
import { readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';

export interface TagCount {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

/**
 * Limit per tag of a group. A tag such as a request id would otherwise have a row for each event,
 * without limit; users look at the first thousand values.
 */
export const maxTagValues = 1000;
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

const update = write<[number, number, number, string, string]>(
  'UPDATE error_tags SET events = events + ?, last_seen = max(last_seen, ?) WHERE group_id = ? AND tag = ? AND value = ?',
);
const insert = write<[number, string, string, number, number]>(
  'INSERT INTO error_tags (group_id, tag, value, events, last_seen) VALUES (?, ?, ?, ?, ?)',
);
const countValues = readValue<[number, string], number>(
  `SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE group_id = ? AND tag = ? LIMIT ${maxTagValues}) AS counted`,
);

/**
 * Counts tag values within a transaction that writes events. The number of values per tag is
 * cached, because an event has up to a hundred tags, and counting a thousand rows for each blocked
 * the event loop for milliseconds.
 *
 * @param now milliseconds of a monotonic clock.
 */
export function tagValueWriter(
  now: () => number = () => performance.now(),
): (groupId: number, tag: string, value: string, count: TagCount) => Transaction<void> {
  const known = new LRUCache<string, Known>({ max: maxKnown });

  function* knownOf(groupId: number, tag: string): Transaction<Known> {
    const key = `${groupId} ${tag}`;
    const before = known.get(key);
    if (before && now() < before.until) return before;
    const counted = { until: now() + keepMs, values: (yield* one(countValues, groupId, tag)) ?? 0 };
    known.set(key, counted);
    return counted;
  }

  return function* (groupId, tag, value, { count, last }) {
    if ((yield* run(update, count, last, groupId, tag, value)) > 0) return;
    const counted = yield* knownOf(groupId, tag);
    if (counted.values >= maxTagValues) return;
    yield* run(insert, groupId, tag, value, count, last);
    counted.values += 1;
  };
}
