import { isoTime } from '../../common/iso-time.ts';
import type { Bench, BenchConcern, BenchDetail, BenchSummary } from '../../contract/fleet/fleet.ts';
import { concernsOf } from '../store/bench-concerns.ts';
import type { BenchNumbers } from '../store/bench-list-store.ts';
import type { BenchRow } from '../store/bench-row.ts';
import { versionKey } from '../store/version-order.ts';

/** @param version of this server. */
export function benchShape(row: BenchRow, version: string): Bench {
  const {
    to: _to,
    sequence: _sequence,
    sent_at: _at,
    round_trip_ms: _ms,
    next_report_ms: _next,
    going: _going,
    ...told
  } = row.report;
  const ofState: readonly BenchConcern[] = row.state === 'silent' || row.state === 'unheard' ? [row.state] : [];
  return {
    id: row.id,
    ...told,
    name: row.own_name ?? row.report.name,
    reported_name: row.report.name,
    note: row.note,
    expected: row.expected,
    username: row.username,
    state: row.state,
    since: isoTime(row.missed_since ?? row.since),
    heard_at: isoTime(row.heard_at),
    first_heard_at: isoTime(row.first_heard_at),
    clock_ahead_ms: row.clock_ahead_ms,
    is_older: versionKey(row.report.version) < versionKey(version),
    concerns: [...ofState, ...concernsOf(row.report, row.clock_ahead_ms)],
  };
}

export function benchDetailShape(row: BenchRow, version: string): BenchDetail {
  const absences = row.absences.map(({ from, until }) => ({ from: isoTime(from), until: isoTime(until) })).toReversed();
  return { ...benchShape(row, version), absences };
}

export function summaryShape({ unheard_since: unheardSince, ...numbers }: BenchNumbers): BenchSummary {
  return { ...numbers, unheard_since: isoTime(unheardSince) };
}
