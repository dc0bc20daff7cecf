import type { BenchState } from '../../../../src-shared/states/bench-states.ts';
import type { BenchFilter, BenchSort } from '../../contract/fleet/fleet.ts';
import type { Database } from '../../database/port/database.ts';
import { like, perEngine } from '../../database/port/dialect.ts';
import { read, readValue, type ReadQuery } from '../../database/port/query.ts';
import { benchOf, type BenchRow, type StoredBench } from './bench-row.ts';

export interface BenchListing {
  readonly filter: BenchFilter;
  readonly search: string;
  readonly sort: BenchSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

export interface BenchNumbers {
  readonly all: number;
  readonly attention: number;
  readonly reporting: number;
  readonly gone: number;
  readonly unheard_since: number | null;
}

export interface BenchListStore {
  page(listing: BenchListing): Promise<{ readonly rows: readonly BenchRow[]; readonly total: number }>;
  byId(id: string): Promise<BenchRow | null>;
  /** Those whose name, or whose id from its beginning, is this; at most two. */
  named(name: string): Promise<readonly BenchRow[]>;
  numbers(): Promise<BenchNumbers>;
  byState(): Promise<readonly (readonly [BenchState, number])[]>;
}

const name = 'ifnull(b.own_name, b.reported_name)';
const attention = `(b.state IN ('silent', 'unheard') OR b.has_concern = 1)`;
const gone = `b.state IN ('closed', 'asleep', 'away')`;
const columns = `b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username`;
const from = 'benches AS b JOIN users ON users.id = b.user_id';
const chosen = `(@filter = 'all' OR (@filter = 'attention' AND ${attention})
    OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND ${gone}))
  AND (@search = '' OR ${like(name, '@search')} OR ${like('b.note', '@search')} OR ${like('users.username', '@search')})`;
interface Chosen {
  readonly filter: BenchFilter;
  readonly search: string;
}
type Paged = Chosen & { readonly limit: number; readonly offset: number };

const rank = `CASE WHEN b.state = 'silent' THEN 0 WHEN b.state = 'unheard' THEN 1 WHEN b.has_concern = 1 THEN 2
  WHEN b.state = 'away' THEN 3 WHEN b.state = 'reporting' THEN 4 WHEN b.state = 'asleep' THEN 5 ELSE 6 END`;
const folded = perEngine(`folded_key(${name})`, `folded(${name})`);
const keys: Readonly<Record<BenchSort, string>> = {
  state: rank,
  name: folded,
  heard_at: 'b.heard_at',
  last_run: 'ifnull(b.last_run_at, 0)',
  backlog: 'b.backlog_bytes',
  disk: 'b.free_permille',
  version: 'b.version_key',
  clock: 'abs(b.clock_ahead_ms)',
  errors: 'b.errors',
};
const pages = new Map<string, ReadQuery<Paged, StoredBench>>(
  Object.entries(keys).flatMap(([sort, key]) =>
    (['asc', 'desc'] as const).map((order) => [
      `${sort} ${order}`,
      read<Paged, StoredBench>(
        `SELECT ${columns} FROM ${from} WHERE ${chosen} ORDER BY ${key} ${order}, ${folded}, b.id LIMIT @limit OFFSET @offset`,
      ),
    ]),
  ),
);
const total = readValue<Chosen, number>(`SELECT count(*) FROM ${from} WHERE ${chosen}`);
const byId = read<[string], StoredBench>(`SELECT ${columns} FROM ${from} WHERE b.id = ?`);
const named = read<{ name: string; beginning: string }, StoredBench>(
  `SELECT ${columns} FROM ${from} WHERE lower(${name}) = lower(@name) OR b.id LIKE @beginning ESCAPE '\\' ORDER BY b.id LIMIT 2`,
);
const numbers = read<[], BenchNumbers>(
  `SELECT count(*) AS "all",
     ifnull(sum(CASE WHEN ${attention} THEN 1 ELSE 0 END), 0) AS attention,
     ifnull(sum(CASE WHEN b.state = 'reporting' THEN 1 ELSE 0 END), 0) AS reporting,
     ifnull(sum(CASE WHEN ${gone} THEN 1 ELSE 0 END), 0) AS gone,
     max(CASE WHEN b.state = 'unheard' THEN b.missed_since END) AS unheard_since
   FROM benches AS b`,
);
const byState = read<[], { readonly state: BenchState; readonly count: number }>(
  'SELECT state, count(*) AS count FROM benches GROUP BY state',
);

/** The lists of benches. */
export function benchListStore(database: Database): BenchListStore {
  return {
    page: async ({ filter, search, sort, order, offset, limit }) => {
      const query = pages.get(`${sort} ${order}`);
      if (!query) throw new Error(`no list by ${sort}`);
      const which = { filter, search: search === '' ? '' : `%${escaped(search)}%` };
      const rows = await database.all(query, { ...which, limit, offset });
      return { rows: rows.map(benchOf), total: (await database.one(total, which)) ?? 0 };
    },
    byId: async (id) => {
      const row = await database.one(byId, id);
      return row && benchOf(row);
    },
    named: async (text) => (await database.all(named, { name: text, beginning: `${escaped(text)}%` })).map(benchOf),
    numbers: async () =>
      (await database.one(numbers)) ?? { all: 0, attention: 0, reporting: 0, gone: 0, unheard_since: null },
    byState: async () => (await database.all(byState)).map(({ state, count }) => [state, count] as const),
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
