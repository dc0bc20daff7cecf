import { captureStates, type CaptureState } from '../../../../src-shared/states/capture-states.ts';
import type { CaptureCounts, CaptureFilter } from '../../contract/capture/runs.ts';
import type { Database } from '../../database/port/database.ts';
import { inTexts, like } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import type { CaptureRunRow, HistoryRow } from './capture-rows.ts';

export interface CaptureListing {
  /** Null for those of all rules. */
  readonly ruleId: number | null;
  readonly filter: CaptureFilter;
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

export type CaptureListRow = CaptureRunRow & { readonly rule_name: string };

export interface CaptureListStore {
  /** Those found last come first. */
  page(listing: CaptureListing): Promise<{ readonly rows: readonly CaptureListRow[]; readonly total: number }>;
  /** Numbers of runs by rule; those of all rules for null. */
  counts(): Promise<ReadonlyMap<number | null, CaptureCounts>>;
  /** Newest first, at most a hundred. */
  history(runId: number): Promise<readonly HistoryRow[]>;
}

/** The states of each filter; what went before it was registered is in none. */
const statesOf: Readonly<Record<CaptureFilter, readonly CaptureState[]>> = {
  all: captureStates.filter((state) => state !== 'gone'),
  'needs-you': ['needs-you', 'changed-after'],
  waiting: ['seen', 'growing', 'quiet', 'hashing'],
  done: ['registered', 'pushed'],
  skipped: ['skipped'],
};

const chosen = `(@ruleId = 0 OR rule_id = @ruleId) AND ${inTexts('r.state', '@states')}
  AND (@search = '' OR ${like('r.name', '@search')} OR ${like("ifnull(r.measurement_id, '')", '@search')})`;
interface Chosen {
  readonly ruleId: number;
  readonly states: string;
  readonly search: string;
}
const page = read<Chosen & { limit: number; offset: number }, CaptureListRow>(
  `SELECT r.*, capture_rules.name AS rule_name FROM capture_runs AS r JOIN capture_rules ON capture_rules.id = rule_id
   WHERE ${chosen} ORDER BY r.id DESC LIMIT @limit OFFSET @offset`,
);
const total = readValue<Chosen, number>(`SELECT count(*) FROM capture_runs AS r WHERE ${chosen}`);
const counts = read<[], { readonly rule_id: number; readonly state: CaptureState; readonly count: number }>(
  'SELECT rule_id, state, count(*) AS count FROM capture_runs GROUP BY rule_id, state',
);
const history = read<[number], HistoryRow>(
  'SELECT at, state, reason, message FROM capture_history WHERE run_id = ? ORDER BY id DESC LIMIT 100',
);

/** The lists of runs. */
export function captureListStore(database: Database): CaptureListStore {
  return {
    page: async ({ ruleId, filter, search, offset, limit }) => {
      const escaped = search === '' ? '' : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
      const which = { ruleId: ruleId ?? 0, states: JSON.stringify(statesOf[filter]), search: escaped };
      const rows = await database.all(page, { ...which, limit, offset });
      return { rows, total: (await database.one(total, which)) ?? 0 };
    },
    counts: async () => {
      const result = new Map<number | null, CaptureCounts>();
      for (const { rule_id: ruleId, state, count } of await database.all(counts))
        for (const key of [ruleId, null]) result.set(key, addCount(result.get(key) ?? noCounts, state, count));
      return result;
    },
    history: async (runId) => database.all(history, runId),
  };
}

export const noCounts: CaptureCounts = { all: 0, needs_you: 0, waiting: 0, done: 0, skipped: 0 };

function addCount(counted: CaptureCounts, state: CaptureState, count: number): CaptureCounts {
  const add = (filter: CaptureFilter): number => (statesOf[filter].includes(state) ? count : 0);
  return {
    all: counted.all + add('all'),
    needs_you: counted.needs_you + add('needs-you'),
    waiting: counted.waiting + add('waiting'),
    done: counted.done + add('done'),
    skipped: counted.skipped + add('skipped'),
  };
}
