import type { BenchState } from '../../../../src-shared/states/bench-states.ts';
import type { BenchExpectation, BenchReport } from '../../contract/fleet/fleet.ts';
import type { Absence } from '../silence/usual-silence.ts';

/** A row of `benches`. Times are milliseconds since 1970. */
export interface BenchRow {
  readonly id: string;
  readonly user_id: number;
  readonly state: BenchState;
  readonly since: number;
  readonly sequence: number;
  readonly first_heard_at: number;
  readonly heard_at: number;
  readonly missed_since: number | null;
  readonly clock_ahead_ms: number;
  readonly report: BenchReport;
  readonly absences: readonly Absence[];
  /** As an administrator calls it. */
  readonly own_name: string | null;
  readonly note: string;
  readonly expected: BenchExpectation;
  readonly username: string;
}

/** A row as it is stored. */
export type StoredBench = Omit<BenchRow, 'report' | 'absences'> & {
  readonly report: string;
  readonly absences: string;
};

export function benchOf({ report, absences, ...row }: StoredBench): BenchRow {
  return { ...row, report: JSON.parse(report) as BenchReport, absences: JSON.parse(absences) as readonly Absence[] };
}
