import type { ErrorSummary } from '../../contract/errors.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { ErrorRow } from '../store/list/error-rows.ts';

/** An error as the list shows it. */
export function summaryShape(row: ErrorRow, hours: readonly number[]): ErrorSummary {
  return {
    id: String(row.id),
    title: [row.type, row.value].filter((part) => part !== '').join(': '),
    type: row.type,
    value: row.value,
    culprit: row.culprit,
    level: row.level,
    platform: row.platform,
    status: row.status,
    regressed: row.regressed_at !== null,
    events: row.events,
    users: row.users,
    first_seen: isoTime(row.first_seen),
    last_seen: isoTime(row.last_seen),
    first_release: row.first_release,
    last_release: row.last_release,
    hours: [...hours],
  };
}

/**
 * Converts counts by hour or day number to a list of `length` bars, oldest first; the last one is
 * `newest`.
 */
export function bars(counts: ReadonlyMap<number, number>, newest: number, length: number): number[] {
  return Array.from({ length }, (_, index) => counts.get(newest - length + 1 + index) ?? 0);
}
