import { activeCopyStates, type CopyEvent } from '../../../../src-shared/states/copy-states.ts';
import type { CopyReason } from '../../contract/copies/copies.ts';
import type { Database, Transaction } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import { stateList } from '../../database/transition-sql.ts';
import { tellOfMeasurement } from '../../notifications/store/outbox.ts';
import { checkEveryMs, type CopyOutcome, type CopyRow, type NewCopy } from './copy-row.ts';
import { type CopyRequestEvent, transitionsOfAll, transitionOf, appliedOf, ends } from './copy-transitions.ts';

export interface CopiesStore {
  /**
   * Adds copies to the queue, in one transaction. One that failed, was cancelled, or was of other
   * bytes begins again.
   *
   * @returns how many were added.
   */
  add(copies: readonly NewCopy[], now: number): Promise<number>;
  byId(id: number): Promise<CopyRow | null>;
  /** @returns whether the event changed the row. */
  apply(id: number, event: CopyEvent, outcome: CopyOutcome, now: number): Promise<boolean>;
  /** @param ids 'all' for every copy. @returns the number of changed rows. */
  applyToAll(event: CopyRequestEvent, ids: readonly number[] | 'all', now: number): Promise<number>;
  /** Those whose time has come are queued. @returns their number. */
  due(now: number): Promise<number>;
  /** Ids of the copies that are being sent, as far as their rows say. */
  sending(): Promise<readonly number[]>;
  /** Cancelled copies of which the server still has a part. */
  unfinished(limit: number): Promise<readonly CopyRow[]>;
  /** Copies to a server that wait because of what it said are queued. @returns their number. */
  unblock(baseUrl: string): Promise<number>;
  /** All copies to a server that would be sent wait for the user. */
  ask(baseUrl: string, reason: CopyReason, message: string): Promise<void>;
  /** Servers with queued copies. */
  queuedServers(): Promise<readonly string[]>;
  /** The first queued copies to a server. */
  queued(baseUrl: string, limit: number): Promise<readonly CopyRow[]>;
  progress(id: number, bytesDone: number, uploadUrl: string | null): Promise<void>;
  /** Of a copy that is being sent. @returns false when it was paused or cancelled meanwhile. */
  verified(id: number, receipt: string, now: number, checkAt: number): Promise<boolean>;
  /** Verified copies that are to be checked again, those longest overdue first. */
  toCheck(now: number, limit: number): Promise<readonly CopyRow[]>;
  checkAgainAt(id: number, checkAt: number | null): Promise<void>;
  /** Of a server that cannot be asked now. */
  postponeChecks(baseUrl: string, checkAt: number): Promise<void>;
  /** A verified copy has answered for its bytes again. */
  checked(id: number, now: number, checkAt: number): Promise<void>;
  /** @param ids 'all' for every copy. @returns the number of copies that will be checked soon. */
  checkSoon(ids: readonly number[] | 'all', now: number): Promise<number>;
  /** Removes ended copies from the list. @returns their number. */
  remove(ids: readonly number[] | 'all'): Promise<number>;
  /** The keys of a server's receipts as they were known first; null when none are. */
  issuerKeys(baseUrl: string): Promise<string | null>;
  setIssuerKeys(baseUrl: string, keys: string, now: number): Promise<void>;
}

/** The longest time for which a server may ask with Retry-After, and some more. */
const maxWaitMs = 25 * 3_600_000;

const insert = write<NewCopy & { now: number }>(
  `INSERT INTO copies (measurement_id, title, manifest_sha256, base_url, server_id, server_name, project, state, bytes_total, created_at)
   VALUES (@measurement_id, @title, @manifest_sha256, @base_url, @server_id, @server_name, @project, 'queued', @bytes_total, @now)
   ON CONFLICT (measurement_id, base_url) DO UPDATE
   SET state = 'queued', title = excluded.title, manifest_sha256 = excluded.manifest_sha256, project = excluded.project,
     server_id = excluded.server_id, server_name = excluded.server_name, bytes_total = excluded.bytes_total,
     upload_url = CASE WHEN copies.manifest_sha256 = excluded.manifest_sha256 THEN copies.upload_url END,
     bytes_done = 0, reason = NULL, message = NULL, attempts = 0, retry_at = NULL, receipt = NULL, verified_at = NULL,
     check_at = NULL, ended_at = NULL
   WHERE copies.state IN ('failed', 'cancelled')
     OR (copies.manifest_sha256 <> excluded.manifest_sha256 AND copies.state <> 'sending')`,
);
const byId = read<[number], CopyRow>('SELECT * FROM copies WHERE id = ?');
const due = write<[number, number]>(
  // A clock that was set back must not keep a copy waiting for longer than a server may ask for.
  `UPDATE copies SET state = 'queued', retry_at = NULL
   WHERE state = 'waiting' AND (retry_at IS NULL OR retry_at <= ? OR retry_at > ?)`,
);
const sending = readValue<[], number>(`SELECT id FROM copies WHERE state = 'sending'`);
const unfinished = read<[number], CopyRow>(
  `SELECT * FROM copies WHERE state = 'cancelled' AND upload_url IS NOT NULL ORDER BY id LIMIT ?`,
);
const ask = write<[CopyReason, string, string]>(
  `UPDATE copies SET state = 'asking', reason = ?, message = ?, retry_at = NULL
   WHERE state IN ('queued', 'waiting') AND base_url = ?`,
);
const unblock = write<[string]>(
  `UPDATE copies SET state = 'queued', reason = NULL, message = NULL, retry_at = NULL
   WHERE state IN ('asking', 'waiting') AND base_url = ?`,
);
const queuedServers = readValue<[], string>(`SELECT DISTINCT base_url FROM copies WHERE state = 'queued'`);
const queued = read<[string, number], CopyRow>(
  `SELECT * FROM copies WHERE state = 'queued' AND base_url = ? ORDER BY id LIMIT ?`,
);
const progress = write<[number, string | null, number]>(
  'UPDATE copies SET bytes_done = ?, upload_url = ? WHERE id = ?',
);
const verified = write<[string, number, number, number, number]>(
  `UPDATE copies SET state = 'verified', receipt = ?, verified_at = ?, check_at = ?, ended_at = ?, bytes_done = bytes_total,
     upload_url = NULL, reason = NULL, message = NULL, retry_at = NULL, attempts = 0
   WHERE id = ? AND state = 'sending'`,
);
const toCheck = read<[number, number], CopyRow>(
  `SELECT * FROM copies WHERE check_at <= ? AND state = 'verified' ORDER BY check_at, id LIMIT ?`,
);
const planned = read<[number, number], CopyRow>(
  `SELECT * FROM copies WHERE check_at > ? AND state = 'verified' ORDER BY check_at, id LIMIT ?`,
);
const checkAgainAt = write<[number | null, number]>('UPDATE copies SET check_at = ? WHERE id = ?');
const postponeChecks = write<[number, string, number]>(
  `UPDATE copies SET check_at = ? WHERE base_url = ? AND check_at < ? AND state = 'verified'`,
);
const checked = write<[number, number, number]>(
  `UPDATE copies SET verified_at = ?, check_at = ? WHERE id = ? AND state = 'verified'`,
);
const checkSoon = write<[number, number]>(`UPDATE copies SET check_at = ? WHERE id = ? AND state = 'verified'`);
const checkAllSoon = write<[number]>(`UPDATE copies SET check_at = ? WHERE state = 'verified'`);
const removable = `state NOT IN ${stateList(activeCopyStates)}`;
const remove = write<[number]>(`DELETE FROM copies WHERE id = ? AND ${removable}`);
// A copy that is verified is a statement that nobody gives up by clearing a list.
const removeEnded = write<[]>(`DELETE FROM copies WHERE ${removable} AND state <> 'verified'`);
const issuerKeys = readValue<[string], string>('SELECT keys FROM receipt_issuers WHERE base_url = ?');
const setIssuerKeys = write<[string, string, number]>(
  `INSERT INTO receipt_issuers (base_url, keys, first_seen_at) VALUES (?, ?, ?)
   ON CONFLICT (base_url) DO UPDATE SET keys = excluded.keys`,
);

function* tellOfCopy(kind: 'copy-verified' | 'copy-lost', id: number): Transaction<void> {
  const copy = yield* one(byId, id);
  if (copy) yield* tellOfMeasurement(kind, copy.measurement_id);
}

/** Copies on other servers, and the keys of those servers. */
export function copiesStore(database: Database): CopiesStore {
  return {
    add: async (copies, now) =>
      database.transaction(function* () {
        let added = 0;
        for (const copy of copies) added += yield* run(insert, { ...copy, now });
        return added;
      }),
    byId: async (id) => database.one(byId, id),
    apply: async (id, event, outcome, now) =>
      database.transaction(function* () {
        if ((yield* run(transitionOf(event), appliedOf(id, event, outcome, now))) === 0) return false;
        if (event === 'doubt') yield* tellOfCopy('copy-lost', id);
        return true;
      }),
    applyToAll: async (event, ids, now) => {
      if (ids === 'all') return database.run(transitionsOfAll[event], ends(event) ? now : null);
      return database.transaction(function* () {
        let changed = 0;
        for (const id of ids) changed += yield* run(transitionOf(event), appliedOf(id, event, {}, now));
        return changed;
      });
    },
    due: async (now) => database.run(due, now, now + maxWaitMs),
    sending: async () => database.all(sending),
    unfinished: async (limit) => database.all(unfinished, limit),
    ask: async (baseUrl, reason, message) => void (await database.run(ask, reason, message, baseUrl)),
    unblock: async (baseUrl) => database.run(unblock, baseUrl),
    queuedServers: async () => database.all(queuedServers),
    queued: async (baseUrl, limit) => database.all(queued, baseUrl, limit),
    progress: async (id, bytesDone, uploadUrl) => void (await database.run(progress, bytesDone, uploadUrl, id)),
    verified: async (id, receipt, now, checkAt) =>
      database.transaction(function* () {
        if ((yield* run(verified, receipt, now, checkAt, now, id)) === 0) return false;
        yield* tellOfCopy('copy-verified', id);
        return true;
      }),
    toCheck: async (now, limit) => {
      const rows = await database.all(toCheck, now, limit);
      // Planned before the clock was set back.
      return rows.length > 0 ? rows : database.all(planned, now + 2 * checkEveryMs, limit);
    },
    checkAgainAt: async (id, checkAt) => void (await database.run(checkAgainAt, checkAt, id)),
    postponeChecks: async (baseUrl, checkAt) => void (await database.run(postponeChecks, checkAt, baseUrl, checkAt)),
    checked: async (id, now, checkAt) => void (await database.run(checked, now, checkAt, id)),
    checkSoon: async (ids, now) =>
      ids === 'all'
        ? database.run(checkAllSoon, now)
        : database.transaction(function* () {
            let changed = 0;
            for (const id of ids) changed += yield* run(checkSoon, now, id);
            return changed;
          }),
    remove: async (ids) =>
      ids === 'all'
        ? database.run(removeEnded)
        : database.transaction(function* () {
            let removed = 0;
            for (const id of ids) removed += yield* run(remove, id);
            return removed;
          }),
    issuerKeys: async (baseUrl) => database.one(issuerKeys, baseUrl),
    setIssuerKeys: async (baseUrl, keys, now) => void (await database.run(setIssuerKeys, baseUrl, keys, now)),
  };
}
