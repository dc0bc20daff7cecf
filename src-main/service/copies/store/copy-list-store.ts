import { activeCopyStates, type CopyState } from '../../../../src-shared/states/copy-states.ts';
import type { CopyFilter } from '../../contract/copies/copies.ts';
import type { Database } from '../../database/port/database.ts';
import { inTexts } from '../../database/port/dialect.ts';
import { read } from '../../database/port/query.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import type { CopyRow } from './copy-row.ts';

export interface CopyListing {
  readonly filter: CopyFilter;
  /** Null for those of all measurements. */
  readonly measurementId: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** The columns that decide whether a measurement can be copied. */
export type GrantedMeasurement = Pick<
  MeasurementRow,
  'id' | 'title' | 'state' | 'problem_count' | 'archive_bytes' | 'archive_tag'
>;

export interface CopyListStore {
  page(listing: CopyListing): Promise<{ readonly rows: readonly CopyRow[]; readonly total: number }>;
  counts(): Promise<Readonly<Record<CopyFilter, number>>>;
  /** Measurements that are granted to a project, by their ids after one. */
  grantedTo(projectId: number, after: string, limit: number): Promise<readonly GrantedMeasurement[]>;
  /** Copies of a measurement that answered for their bytes after a time. */
  verifiedOf(measurementId: string, after: number): Promise<readonly CopyRow[]>;
  /** Such copies by measurement; measurements without any are left out. */
  verifiedCounts(measurementIds: readonly string[], after: number): Promise<ReadonlyMap<string, number>>;
}

/** The states of each filter, in the order of the list. */
const statesOf: Readonly<Record<CopyFilter, readonly CopyState[]>> = {
  all: ['sending', 'asking', 'waiting', 'queued', 'paused', 'failed', 'verified', 'cancelled'],
  active: ['sending', 'asking', 'waiting', 'queued', 'paused'],
  verified: ['verified'],
  failed: ['failed'],
};
const inState = read<[string, number, number], CopyRow>(
  'SELECT * FROM copies WHERE state = ? ORDER BY id DESC LIMIT ? OFFSET ?',
);
const ofMeasurement = read<[string], CopyRow>(
  'SELECT * FROM copies WHERE measurement_id = ? ORDER BY id DESC LIMIT 1000',
);
const byState = read<[], { readonly state: CopyState; readonly count: number }>(
  'SELECT state, count(*) AS count FROM copies GROUP BY state',
);
const isVerified = `state = 'verified' AND verified_at >= ?`;
const grantedTo = read<[number, string, number], GrantedMeasurement>(
  `SELECT m.id, m.title, m.state, m.problem_count, m.archive_bytes, m.archive_tag FROM grants JOIN measurements AS m ON m.id = grants.measurement_id
   WHERE grants.project_id = ? AND m.id > ? AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = m.id) ORDER BY m.id LIMIT ?`,
);
const verifiedOf = read<[string, number], CopyRow>(
  `SELECT * FROM copies WHERE measurement_id = ? AND ${isVerified} ORDER BY verified_at DESC, id LIMIT 100`,
);
const verifiedCounts = read<[string, number], { readonly measurement_id: string; readonly count: number }>(
  `SELECT measurement_id, count(*) AS count FROM copies
   WHERE ${inTexts('measurement_id', '?')} AND ${isVerified} GROUP BY measurement_id`,
);

/** The lists of copies. */
export function copyListStore(database: Database): CopyListStore {
  return {
    page: async ({ filter, measurementId, offset, limit }) => {
      const states = statesOf[filter];
      if (measurementId !== null) {
        const all = await database.all(ofMeasurement, measurementId);
        const rows = states.flatMap((state) => all.filter((row) => row.state === state));
        return { rows: rows.slice(offset, offset + limit), total: rows.length };
      }
      return pageOf(database, states, offset, limit);
    },
    counts: async () => {
      const counts = { all: 0, active: 0, verified: 0, failed: 0 };
      for (const { state, count } of await database.all(byState)) {
        counts.all += count;
        if (activeCopyStates.includes(state)) counts.active += count;
        if (state === 'verified' || state === 'failed') counts[state] += count;
      }
      return counts;
    },
    grantedTo: async (projectId, after, limit) => database.all(grantedTo, projectId, after, limit),
    verifiedOf: async (measurementId, after) => database.all(verifiedOf, measurementId, after),
    verifiedCounts: async (measurementIds, after) => {
      const rows = await database.all(verifiedCounts, JSON.stringify(measurementIds), after);
      return new Map(rows.map(({ measurement_id: id, count }) => [id, count]));
    },
  };
}

/** State by state, because the order of the list is that of no index. */
async function pageOf(
  database: Database,
  states: readonly CopyState[],
  offset: number,
  limit: number,
): Promise<{ readonly rows: readonly CopyRow[]; readonly total: number }> {
  const counts = new Map((await database.all(byState)).map(({ state, count }) => [state, count]));
  const rows: CopyRow[] = [];
  let total = 0;
  for (const state of states) {
    const count = counts.get(state) ?? 0;
    const skipped = Math.max(0, offset - total);
    if (skipped < count && rows.length < limit)
      rows.push(...(await database.all(inState, state, limit - rows.length, skipped)));
    total += count;
  }
  return { rows, total };
}
