import type { SqliteConnection } from '../../database/sqlite/sqlite-file.ts';
import { endedFetchStates } from '../../../../src-shared/states/fetch-states.ts';
import { foldedKey, likePattern } from '../../database/text-search.ts';
import { stateList } from '../../database/transition-sql.ts';
import type { FetchFilter, FetchPage, FetchSort, FetchState } from '../../contract/fetches.ts';
import type { FetchRow } from './fetch-row.ts';
import { fetchColumns } from './fetches-store.ts';

export interface FetchFileRow {
  readonly idx: number;
  readonly path: string;
  readonly length: number | null;
  readonly bytes_done: number;
  readonly state: 'waiting' | 'partial' | 'done' | 'failed';
  readonly skipped: number;
  readonly message: string | null;
  readonly verified_at: number | null;
}

export interface FetchLogRow {
  readonly id: number;
  readonly at: number;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

export interface FetchSearch {
  readonly filter: FetchFilter;
  readonly search: string;
  readonly sort: FetchSort;
  readonly order: 'asc' | 'desc';
  /** Servers whose name matches the search. */
  readonly serverIds: readonly number[];
  readonly offset: number;
  readonly limit: number;
}

export interface FetchListStore {
  /** Queue order: running, waiting, then ended fetches, the newest first. */
  page(search: FetchSearch): Promise<{ readonly rows: readonly FetchRow[]; readonly total: number }>;
  counts(): Promise<FetchPage['counts']>;
  files(
    fetchId: number,
    filter: 'all' | 'open' | 'failed' | 'done',
    offset: number,
    limit: number,
  ): Promise<{ readonly rows: readonly FetchFileRow[]; readonly total: number }>;
  file(fetchId: number, index: number): Promise<FetchFileRow | null>;
  /** The newest lines, in ascending order. */
  log(fetchId: number, limit: number): Promise<readonly FetchLogRow[]>;
}

const statesOf: Readonly<Record<Exclude<FetchFilter, 'all'>, readonly FetchState[]>> = {
  active: ['queued', 'running', 'waiting'],
  paused: ['paused'],
  attention: ['asking'],
  done: ['done'],
  failed: ['failed', 'cancelled'],
};
const fileStates = {
  all: '1',
  open: `state IN ('waiting', 'partial')`,
  failed: `state = 'failed'`,
  done: `state = 'done'`,
} as const;

const rank = `CASE WHEN state = 'running' THEN 0 WHEN state IN ${stateList(endedFetchStates)} THEN 2 ELSE 1 END`;
const inQueue = `${rank}, CASE WHEN ${rank} < 2 THEN -priority ELSE -ended_at END, position`;
const sortColumns: Readonly<Record<Exclude<FetchSort, 'queue'>, string>> = {
  title: 'title_key',
  size: 'bytes_total',
  state: 'state',
  added: 'created_at',
};

/**
 * An `ORDER BY` clause; ties are in queue order. The queue order sorts all rows as well, so other
 * orders cost no more.
 */
function orderBy(sort: FetchSort, order: 'asc' | 'desc'): string {
  return `ORDER BY ${sort === 'queue' ? '' : `${sortColumns[sort]} ${order === 'asc' ? 'ASC' : 'DESC'}, `}${inQueue}, id`;
}

/** Queries for the screens. */
export function fetchListStore(database: SqliteConnection): FetchListStore {
  interface Query {
    readonly words: string;
    readonly title: string;
    readonly servers: string;
  }
  // Sorts ids only, and reads whole rows for one page.
  const listing = ({ filter, search, sort, order }: FetchSearch) => {
    const inOrder = orderBy(sort, order);
    const found = `(title_key LIKE @title ESCAPE '\\' OR measurement_id LIKE @words ESCAPE '\\' OR base_url LIKE @words ESCAPE '\\'
      OR server_id IN (SELECT value FROM json_each(@servers)))`;
    const where =
      [
        ...(filter === 'all' ? [] : [`state IN ${stateList(statesOf[filter])}`]),
        ...(search === '' ? [] : [found]),
      ].join(' AND ') || '1';
    return {
      rows: database.prepare<Query & { readonly offset: number; readonly limit: number }, FetchRow>(
        `SELECT ${fetchColumns} FROM fetches WHERE id IN (SELECT id FROM fetches WHERE ${where} ${inOrder} LIMIT @limit OFFSET @offset) ${inOrder}`,
      ),
      total: database.prepare<Query, number>(`SELECT count(*) FROM fetches WHERE ${where}`).pluck(),
    };
  };
  const lists = new Map<string, ReturnType<typeof listing>>();
  const counts = database.prepare<[], { state: FetchRow['state']; number: number }>(
    'SELECT state, count(*) AS number FROM fetches GROUP BY state',
  );
  const fileColumns = `idx, path, length, state, skipped, message, verified_at, CASE state WHEN 'done' THEN length ELSE
    (SELECT ifnull(sum(end - start), 0) FROM fetch_pieces p WHERE p.fetch_id = fetch_files.fetch_id AND p.idx = fetch_files.idx) END AS bytes_done`;
  const filesOf = (where: string) => ({
    rows: database.prepare<[number, number, number], FetchFileRow>(
      `SELECT ${fileColumns} FROM fetch_files WHERE fetch_id = ? AND ${where} ORDER BY idx LIMIT ? OFFSET ?`,
    ),
    total: database
      .prepare<[number], number>(`SELECT count(*) FROM fetch_files WHERE fetch_id = ? AND ${where}`)
      .pluck(),
  });
  const files = {
    all: filesOf(fileStates.all),
    open: filesOf(fileStates.open),
    failed: filesOf(fileStates.failed),
    done: filesOf(fileStates.done),
  };
  const file = database.prepare<[number, number], FetchFileRow>(
    `SELECT ${fileColumns} FROM fetch_files WHERE fetch_id = ? AND idx = ?`,
  );
  const log = database.prepare<[number, number], FetchLogRow>(
    'SELECT id, at, level, message FROM (SELECT * FROM fetch_log WHERE fetch_id = ? ORDER BY id DESC LIMIT ?) ORDER BY id',
  );

  return {
    page: async (asked) => {
      const { filter, search, sort, order, serverIds, offset, limit } = asked;
      const key = `${filter} ${search !== ''} ${sort} ${order}`;
      const list = lists.get(key) ?? listing(asked);
      lists.set(key, list);
      const query = {
        words: likePattern(search),
        title: likePattern(foldedKey(search)),
        servers: JSON.stringify(serverIds),
      };
      return { rows: list.rows.all({ ...query, offset, limit }), total: list.total.get(query) ?? 0 };
    },
    counts: async () => {
      const numbers = new Map(counts.all().map(({ state, number }) => [state, number]));
      const sum = (filter: keyof typeof statesOf) =>
        statesOf[filter].reduce((total, state) => total + (numbers.get(state) ?? 0), 0);
      const each = {
        active: sum('active'),
        paused: sum('paused'),
        attention: sum('attention'),
        done: sum('done'),
        failed: sum('failed'),
      };
      return { all: each.active + each.paused + each.attention + each.done + each.failed, ...each };
    },
    files: async (fetchId, filter, offset, limit) => ({
      rows: files[filter].rows.all(fetchId, limit, offset),
      total: files[filter].total.get(fetchId) ?? 0,
    }),
    file: async (fetchId, index) => file.get(fetchId, index) ?? null,
    log: async (fetchId, limit) => log.all(fetchId, limit),
  };
}
