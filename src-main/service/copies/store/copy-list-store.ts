import { activeCopyStates, type CopyState } from '../../../../src-shared/states/copy-states.ts';
import type { CopyFilter } from '../../contract/copies/copies.ts';
import type { Database } from '../../database/port/database.ts';
import { inTexts } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import { stateList } from '../../database/transition-sql.ts';
import type { CopyRow } from './copy-row.ts';

export interface CopyListing {
  readonly filter: CopyFilter;
  /** Null for those of all measurements. */
  readonly measurementId: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** What decides whether a measurement can be copied. */
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
  /** The number of such copies of each of some measurements that has any. */
  verifiedCounts(measurementIds: readonly string[], after: number): Promise<ReadonlyMap<string, number>>;
}

const conditions: Readonly<Record<CopyFilter, string>> = {
  all: '1 = 1',
  active: `state IN ${stateList(activeCopyStates)}`,
  verified: `state = 'verified'`,
  failed: `state = 'failed'`,
};
const order = `CASE state WHEN 'sending' THEN 0 WHEN 'asking' THEN 1 WHEN 'waiting' THEN 2 WHEN 'queued' THEN 3
  WHEN 'paused' THEN 4 WHEN 'failed' THEN 5 ELSE 6 END`;

function queriesOf(filter: CopyFilter) {
  const where = conditions[filter];
  return {
    page: read<[number, number], CopyRow>(
      `SELECT * FROM copies WHERE ${where} ORDER BY ${order}, id DESC LIMIT ? OFFSET ?`,
    ),
    count: readValue<[], number>(`SELECT count(*) FROM copies WHERE ${where}`),
    pageOf: read<[string, number, number], CopyRow>(
      `SELECT * FROM copies WHERE measurement_id = ? AND ${where} ORDER BY ${order}, id DESC LIMIT ? OFFSET ?`,
    ),
    countOf: readValue<[string], number>(`SELECT count(*) FROM copies WHERE measurement_id = ? AND ${where}`),
  };
}

const queries = {
  all: queriesOf('all'),
  active: queriesOf('active'),
  verified: queriesOf('verified'),
  failed: queriesOf('failed'),
};
const byState = read<[], { readonly state: CopyState; readonly count: number }>(
  'SELECT state, count(*) AS count FROM copies GROUP BY state',
);
const isVerified = `state = 'verified' AND verified_at >= ?`;
const grantedTo = read<[number, string, number], GrantedMeasurement>(
  `SELECT m.id, m.title, m.state, m.problem_count, m.archive_bytes, m.archive_tag FROM grants JOIN measurements AS m ON m.id = grants.measurement_id
   WHERE grants.project_id = ? AND m.id > ? ORDER BY m.id LIMIT ?`,
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
      const { page, count, pageOf, countOf } = queries[filter];
      return measurementId === null
        ? { rows: await database.all(page, limit, offset), total: (await database.one(count)) ?? 0 }
        : {
            rows: await database.all(pageOf, measurementId, limit, offset),
            total: (await database.one(countOf, measurementId)) ?? 0,
          };
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
