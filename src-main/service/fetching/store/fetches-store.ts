import type { SqliteConnection } from '../../database/sqlite/sqlite-file.ts';
import { fetchTransitions, type FetchEvent, type FetchStage } from '../../../../src-shared/states/fetch-states.ts';
import { requirePossible } from '../../../../src-shared/states/transitions.ts';
import type { FetchReason, FetchState } from '../../contract/fetches.ts';
import type { GroupCommit } from '../../database/sqlite/group-commit.ts';
import { foldedKey } from '../../database/text-search.ts';
import { inStages, stageSql } from './fetch-event-sql.ts';
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
  /** Updates what does not depend on the state. */
  update(id: number, update: FetchUpdate): Promise<void>;
  /** The given ids whose rows are in one of these stages, ascending. */
  ids(of: FetchIds, stages: readonly FetchStage[]): Promise<readonly number[]>;
  /**
   * Applies an event at a time to the rows that it changes, and updates these.
   *
   * @returns their number. @throws ImpossibleEvent
   */
  apply(ids: readonly number[], event: FetchEvent, now: number, update?: FetchUpdate): Promise<number>;
  /** Some of the fetches of a server that wait for their turn or for a retry. */
  pendingOf(baseUrl: string): Promise<readonly number[]>;
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
export function fetchesStore(database: SqliteConnection, commits: GroupCommit): FetchesStore {
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
  const stagesOf = database
    .prepare<[string], FetchStage>(`SELECT DISTINCT ${stageSql} FROM fetches WHERE id ${listed}`)
    .pluck();
  const pendingOf = database
    .prepare<[string], number>(
      `SELECT id FROM fetches WHERE ${inStages(['queued', 'waiting'])} AND base_url = ? LIMIT ${batchSize}`,
    )
    .pluck();
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
  const updates = fetchUpdates(database);
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
      const { statement, values } = updates.set(update, 'id = ?');
      await commits.run(() => void statement.run(...values, id));
    },
    ids: async (of, stages) => {
      const where = `${inStages(stages)} ${of === 'all' ? '' : `AND id ${listed}`} ORDER BY id`;
      const select = database.prepare<string[], number>(`SELECT id FROM fetches WHERE ${where}`).pluck();
      return of === 'all' ? select.all() : select.all(JSON.stringify(of));
    },
    apply: async (ids, event, now, update = {}) => {
      const { statement, values } = updates.apply(event, now, update, `id ${listed}`);
      let changed = 0;
      for (const slice of slices(ids, batchSize)) {
        changed += await commits.run(() => {
          const rows = JSON.stringify(slice);
          for (const stage of stagesOf.all(rows)) requirePossible(fetchTransitions, stage, event);
          return statement.run(...values, rows).changes;
        });
      }
      return changed;
    },
    pendingOf: async (baseUrl) => pendingOf.all(baseUrl),
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
