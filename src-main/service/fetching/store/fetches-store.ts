import type Database from 'better-sqlite3';
import type { FetchReason, FetchState } from '../../contract/fetches.ts';
import type { GroupCommit } from '../../database/group-commit.ts';
import { foldedKey } from '../../database/text-search.ts';
import type { FetchOrder, FetchRow, FetchUpdate, NewFetch } from './fetch-row.ts';
import { fetchUpdates } from './fetch-updates-store.ts';
import { slices } from './slices.ts';

/** The rows a bulk change applies to. */
export type FetchIds = readonly number[] | 'all';

/** Bytes that several fetches still have to receive. */
export interface BytesLeft {
  readonly bytes: number;
  /** Number of fetches of unknown size, which `bytes` does not include. */
  readonly unsized: number;
}

export interface FetchesStore {
  create(fetch: NewFetch): Promise<FetchRow>;
  byId(id: number): Promise<FetchRow | null>;
  order(id: number): Promise<FetchOrder>;
  ofTarget(target: string): Promise<readonly FetchRow[]>;
  inState(...states: readonly FetchState[]): Promise<readonly FetchRow[]>;
  /** Whether any row is in one of these states. */
  some(...states: readonly FetchState[]): Promise<boolean>;
  /**
   * Queued fetches in queue order, except those of some servers and folders; with `verifyOnly` only
   * verifications.
   */
  next(
    limit: number,
    except: { readonly baseUrls: readonly string[]; readonly targets: readonly string[]; readonly verifyOnly: boolean },
  ): Promise<readonly FetchRow[]>;
  /** Fetches that wait for the user for one of these reasons, in queue order. */
  asking(reasons: readonly FetchReason[], offset: number, limit: number): Promise<readonly FetchRow[]>;
  update(id: number, update: FetchUpdate): Promise<void>;
  /** The given ids whose rows are in one of these states, ascending. */
  ids(of: FetchIds, states: readonly FetchState[], ended?: boolean): Promise<readonly number[]>;
  /** Updates the rows in one of these states. @returns their number */
  updateAll(ids: readonly number[], states: readonly FetchState[], update: FetchUpdate): Promise<number>;
  /** Returns incomplete verifications to the previous end state. @returns their number */
  unverify(ids: readonly number[]): Promise<number>;
  /**
   * Makes the queued and waiting fetches of a server wait for the user as well, because it would
   * refuse them too.
   */
  askAll(baseUrl: string, reason: FetchReason, message: string): Promise<void>;
  /** Remaining bytes of queued and waiting fetches. */
  left(): Promise<BytesLeft>;
  /** The given ids that may have files on disk. */
  begun(ids: readonly number[]): Promise<readonly number[]>;
  /** The given ids with one of these reasons. */
  withReason(ids: readonly number[], reasons: readonly FetchReason[]): Promise<readonly number[]>;
  /** Running or pending fetches of one priority, in order. */
  sequence(priority: number, running: boolean): Promise<readonly { readonly id: number; readonly position: number }[]>;
  setPositions(positions: readonly { readonly id: number; readonly position: number }[]): Promise<void>;
}

/** The columns of a {@link FetchRow}, without the potentially long list of chosen files. */
export const fetchColumns = `id, server_id, base_url, measurement_id, title, what, target, unpack, state, reason, message, priority, position, attempts, retry_at,
  files_total, files_done, bytes_total, bytes_done, bytes_verified, active_ms, created_at, started_at, ended_at, verified_at`;
// Longer transactions would block the event loop.
const batchSize = 500;
const listed = 'IN (SELECT value FROM json_each(?))';

/** Fetches in SQLite. Emits no events. */
export function fetchesStore(database: Database.Database, commits: GroupCommit): FetchesStore {
  const create = database.prepare<(string | number | null)[], FetchRow>(
    `INSERT INTO fetches (server_id, base_url, measurement_id, title, title_key, what, chosen, target, unpack, state, priority, position, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${fetchColumns}`,
  );
  const lastPosition = database.prepare<[], number>('SELECT ifnull(max(position), 0) FROM fetches').pluck();
  const byId = database.prepare<[number], FetchRow>(`SELECT ${fetchColumns} FROM fetches WHERE id = ?`);
  const order = database.prepare<[number], { chosen: string | null; manifest_digest: Buffer | null }>(
    'SELECT chosen, manifest_digest FROM fetches WHERE id = ?',
  );
  const ofTarget = database.prepare<[string], FetchRow>(`SELECT ${fetchColumns} FROM fetches WHERE target = ?`);
  const inState = database.prepare<[string], FetchRow>(`SELECT ${fetchColumns} FROM fetches WHERE state ${listed}`);
  const some = database.prepare<[string], number>(`SELECT 1 FROM fetches WHERE state ${listed} LIMIT 1`).pluck();
  const next = database.prepare<{ verify: number; urls: string; targets: string; limit: number }, FetchRow>(
    `SELECT ${fetchColumns} FROM fetches WHERE state = 'queued'
       AND (ended_at IS NOT NULL OR (@verify = 0 AND base_url NOT IN (SELECT value FROM json_each(@urls))))
       AND target NOT IN (SELECT value FROM json_each(@targets))
     ORDER BY priority DESC, position LIMIT @limit`,
  );
  const asking = database.prepare<[string, number, number], FetchRow>(
    `SELECT ${fetchColumns} FROM fetches WHERE state = 'asking' AND reason ${listed} ORDER BY priority DESC, position LIMIT ? OFFSET ?`,
  );
  const idsIn = database.prepare<[string, string], { id: number; ended: number }>(
    `SELECT id, ended_at IS NOT NULL AS ended FROM fetches WHERE id ${listed} AND state ${listed} ORDER BY id`,
  );
  const idsOfAll = database.prepare<[string], { id: number; ended: number }>(
    `SELECT id, ended_at IS NOT NULL AS ended FROM fetches WHERE state ${listed} ORDER BY id`,
  );
  const unverify = database.prepare<[string]>(
    `UPDATE fetches SET state = CASE WHEN files_done = files_total THEN 'done' ELSE 'failed' END
     WHERE id ${listed} AND state IN ('queued', 'running') AND ended_at IS NOT NULL`,
  );
  const askAll = database.prepare<[string, string, string]>(
    `UPDATE fetches SET state = 'asking', reason = ?, message = ?, retry_at = NULL
     WHERE id IN (SELECT id FROM fetches WHERE state IN ('queued', 'waiting') AND base_url = ? AND ended_at IS NULL LIMIT ${batchSize})`,
  );
  const left = database.prepare<[], BytesLeft>(
    `SELECT ifnull(sum(max(0, bytes_total - bytes_done)), 0) AS bytes, count(*) - count(bytes_total) AS unsized
     FROM fetches WHERE state IN ('queued', 'waiting') AND ended_at IS NULL`,
  );
  const begun = database
    .prepare<[string], number>(
      `SELECT id FROM fetches WHERE id ${listed} AND started_at IS NOT NULL AND files_total IS NOT NULL`,
    )
    .pluck();
  const withReason = database
    .prepare<[string, string], number>(`SELECT id FROM fetches WHERE id ${listed} AND reason ${listed}`)
    .pluck();
  const sequence = database.prepare<[string, number], { id: number; position: number }>(
    `SELECT id, position FROM fetches WHERE state ${listed} AND priority = ? ORDER BY position`,
  );
  const setPosition = database.prepare<[number, number]>('UPDATE fetches SET position = ? WHERE id = ?');
  const updating = fetchUpdates(database);
  let last: number | null = null;

  return {
    create: async (input) =>
      commits.run(() => {
        last = (last ?? lastPosition.get() ?? 0) + 1;
        const row = create.get(
          input.serverId,
          input.baseUrl,
          input.measurementId,
          input.title,
          foldedKey(input.title ?? input.measurementId),
          input.what,
          input.chosen && JSON.stringify(input.chosen),
          input.target,
          input.unpack ? 1 : 0,
          input.paused ? 'paused' : 'queued',
          input.priority,
          last,
          Date.now(),
        );
        if (!row) throw new Error('INSERT ... RETURNING gave no row');
        return row;
      }),
    byId: async (id) => byId.get(id) ?? null,
    order: async (id) => {
      const row = order.get(id);
      const chosen = row?.chosen ?? null;
      return {
        chosen: chosen === null ? null : (JSON.parse(chosen) as number[]),
        manifestDigest: row?.manifest_digest ?? null,
      };
    },
    ofTarget: async (target) => ofTarget.all(target),
    inState: async (...states) => inState.all(JSON.stringify(states)),
    some: async (...states) => some.get(JSON.stringify(states)) !== undefined,
    next: async (limit, { baseUrls, targets, verifyOnly }) =>
      next.all({ verify: verifyOnly ? 1 : 0, urls: JSON.stringify(baseUrls), targets: JSON.stringify(targets), limit }),
    asking: async (reasons, offset, limit) => asking.all(JSON.stringify(reasons), limit, offset),
    update: async (id, update) => {
      const { statement, values } = updating(update, 'id = ?');
      await commits.run(() => void statement.run(...values, id));
    },
    ids: async (of, states, ended) => {
      const rows =
        of === 'all' ? idsOfAll.all(JSON.stringify(states)) : idsIn.all(JSON.stringify(of), JSON.stringify(states));
      return rows.filter((row) => ended === undefined || (row.ended === 1) === ended).map(({ id }) => id);
    },
    updateAll: async (ids, states, update) => {
      const { statement, values } = updating(update, `id ${listed} AND state ${listed}`);
      let changed = 0;
      for (const slice of slices(ids, batchSize)) {
        changed += await commits.run(
          () => statement.run(...values, JSON.stringify(slice), JSON.stringify(states)).changes,
        );
      }
      return changed;
    },
    unverify: async (ids) => {
      let changed = 0;
      for (const slice of slices(ids, batchSize))
        changed += await commits.run(() => unverify.run(JSON.stringify(slice)).changes);
      return changed;
    },
    askAll: async (baseUrl, reason, message) => {
      while ((await commits.run(() => askAll.run(reason, message, baseUrl).changes)) === batchSize);
    },
    left: async () => left.get() ?? { bytes: 0, unsized: 0 },
    begun: async (ids) => begun.all(JSON.stringify(ids)),
    withReason: async (ids, reasons) => withReason.all(JSON.stringify(ids), JSON.stringify(reasons)),
    sequence: async (priority, running) =>
      sequence.all(JSON.stringify(running ? ['running'] : ['queued', 'waiting', 'asking', 'paused']), priority),
    setPositions: async (positions) => {
      // In one transaction, so that no reader sees a partial order; writes only changed positions.
      await commits.run(() => {
        for (const { id, position } of positions) setPosition.run(position, id);
      });
      last = null;
    },
  };
}
