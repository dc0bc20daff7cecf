import type Database from 'better-sqlite3';
import { auditWriter, type NewAuditEvent } from '../../audit/audit-store.ts';
import type { GroupCommit } from '../../database/group-commit.ts';
import type { StoredEventRow } from './error-event-store.ts';
import type { ErrorRow } from './error-rows.ts';

/** Fields of an error that its newest event determines. */
export type ErrorSummaryFields = Pick<ErrorRow, 'type' | 'value' | 'culprit' | 'level' | 'platform'>;

/** A stored event with the dictionary of its group. */
export type StoredPayload = Pick<StoredEventRow, 'payload' | 'sample'>;

/** An error before it was merged. */
export interface MergedError extends Pick<ErrorRow, 'id' | 'status'> {
  readonly groups: readonly number[];
}

export interface MergeStore {
  /**
   * Moves the groups of all given errors to the oldest of them and removes the others.
   *
   * @returns the errors as they were before, first the one that is kept; null when one of them does
   * not exist.
   */
  merge(
    projectId: number,
    ids: readonly number[],
    audit: (kept: number) => NewAuditEvent,
  ): Promise<readonly MergedError[] | null>;
  groupIds(projectId: number, errorId: number): Promise<readonly number[]>;
  /** Returns the newest stored event of some groups. */
  newestEvent(groupIds: readonly number[]): Promise<StoredPayload | null>;
  /**
   * Moves groups of an error to a new one.
   *
   * @param summaries of the new and of the old error; null leaves the summary of the old error
   * unchanged.
   * @returns the id of the new error, or null when the groups are not all of this error, or are all
   * its groups.
   */
  split(
    projectId: number,
    errorId: number,
    groupIds: readonly number[],
    summaries: { readonly moved: ErrorSummaryFields | null; readonly left: ErrorSummaryFields | null },
    audit: (created: number) => NewAuditEvent,
  ): Promise<number | null>;
}

/** Merging and unmerging in SQLite; the audit entry is written in the transaction of the change. */
export function mergeStore(database: Database.Database, groupCommit: GroupCommit): MergeStore {
  const byIds = database.prepare<[number, string], ErrorRow>(
    'SELECT * FROM errors WHERE project_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY first_seen, id',
  );
  const moveErrors = database.prepare<[number, string]>(
    'UPDATE error_groups SET error_id = ? WHERE error_id IN (SELECT value FROM json_each(?))',
  );
  const remove = database.prepare<[string]>('DELETE FROM errors WHERE id IN (SELECT value FROM json_each(?))');
  const setState = database.prepare<Pick<ErrorRow, 'id' | 'status' | 'resolved_at' | 'regressed_at'>>(
    'UPDATE errors SET status = @status, resolved_at = @resolved_at, regressed_at = @regressed_at WHERE id = @id',
  );
  const setSummaryFields = database.prepare<ErrorSummaryFields & { readonly id: number }>(
    'UPDATE errors SET type = @type, value = @value, culprit = @culprit, level = @level, platform = @platform WHERE id = @id',
  );
  const copy = database.prepare<[number, number], { readonly id: number }>(
    `INSERT INTO errors (project_id, status, type, value, culprit, level, platform, first_seen, last_seen, events, resolved_at, regressed_at)
     SELECT project_id, status, type, value, culprit, level, platform, first_seen, last_seen, 0, resolved_at, regressed_at FROM errors
     WHERE id = ? AND project_id = ? RETURNING id`,
  );
  const groups = database.prepare<[number, number], { readonly id: number }>(
    'SELECT error_groups.id FROM error_groups JOIN errors ON errors.id = error_id WHERE error_id = ? AND errors.project_id = ? ORDER BY error_groups.id',
  );
  const moveGroups = database.prepare<[number, number, string]>(
    'UPDATE error_groups SET error_id = ? WHERE error_id = ? AND id IN (SELECT value FROM json_each(?))',
  );
  const newest = database.prepare<[string], StoredPayload>(
    `SELECT payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample FROM error_events WHERE id = (SELECT max((SELECT max(id) FROM error_events WHERE group_id = value)) FROM json_each(?))`,
  );
  // The groups' counters include deleted events, so the sums are exact; a user counted in two
  // groups is counted once.
  const count = database.prepare<{ readonly id: number }>(
    `UPDATE errors SET
       first_seen = (SELECT min(first_seen) FROM error_groups WHERE error_id = @id),
       last_seen = (SELECT max(last_seen) FROM error_groups WHERE error_id = @id),
       events = (SELECT sum(events) FROM error_groups WHERE error_id = @id),
       users = (SELECT count(DISTINCT user_hash) FROM error_groups JOIN error_users ON group_id = error_groups.id WHERE error_id = @id),
       first_release = (SELECT first_release FROM error_groups WHERE error_id = @id AND first_release IS NOT NULL ORDER BY first_seen, id LIMIT 1),
       last_release = (SELECT last_release FROM error_groups WHERE error_id = @id AND last_release IS NOT NULL ORDER BY last_seen DESC, id DESC LIMIT 1)
     WHERE id = @id`,
  );
  const audited = auditWriter(database);

  function mergeRows(
    projectId: number,
    ids: readonly number[],
    audit: (kept: number) => NewAuditEvent,
  ): readonly MergedError[] | null {
    const rows = byIds.all(projectId, JSON.stringify(ids));
    const [kept, ...others] = rows;
    if (kept === undefined || rows.length < ids.length) return null;
    const before = rows.map(({ id, status }) => ({
      id,
      status,
      groups: groups.all(id, projectId).map((row) => row.id),
    }));
    const otherIds = JSON.stringify(others.map((row) => row.id));
    const latest = rows.reduce((one, other) => (other.last_seen > one.last_seen ? other : one));
    moveErrors.run(kept.id, otherIds);
    remove.run(otherIds);
    count.run({ id: kept.id });
    setSummaryFields.run({ ...summaryFieldsOf(latest), id: kept.id });
    setState.run({ id: kept.id, ...stateOf(kept, rows) });
    audited(audit(kept.id));
    return before;
  }

  return {
    merge: async (projectId, ids, audit) => groupCommit.run(() => mergeRows(projectId, ids, audit)),
    groupIds: async (projectId, errorId) => groups.all(errorId, projectId).map((row) => row.id),
    newestEvent: async (groupIds) => newest.get(JSON.stringify(groupIds)) ?? null,
    split: async (projectId, errorId, groupIds, summaries, audit) =>
      groupCommit.run(() => {
        const owned = new Set(groups.all(errorId, projectId).map((row) => row.id));
        if (groupIds.length === 0 || groupIds.length >= owned.size || !groupIds.every((id) => owned.has(id)))
          return null;
        const created = copy.get(errorId, projectId)?.id;
        if (created === undefined) return null;
        moveGroups.run(created, errorId, JSON.stringify(groupIds));
        count.run({ id: created });
        count.run({ id: errorId });
        if (summaries.moved !== null) setSummaryFields.run({ ...summaries.moved, id: created });
        if (summaries.left !== null) setSummaryFields.run({ ...summaries.left, id: errorId });
        audited(audit(created));
        return created;
      }),
  };
}

function summaryFieldsOf({ type, value, culprit, level, platform }: ErrorRow): ErrorSummaryFields {
  return { type, value, culprit, level, platform };
}

/** The merged error stays unresolved if any of its errors is. */
function stateOf(kept: ErrorRow, rows: readonly ErrorRow[]): Pick<ErrorRow, 'status' | 'resolved_at' | 'regressed_at'> {
  const open = rows.filter((row) => row.status === 'unresolved');
  if (open.length > 0)
    return { status: 'unresolved', resolved_at: null, regressed_at: latestOf(open.map((row) => row.regressed_at)) };
  return {
    status: kept.status,
    resolved_at: kept.status === 'resolved' ? latestOf(rows.map((row) => row.resolved_at)) : null,
    regressed_at: null,
  };
}

function latestOf(times: readonly (number | null)[]): number | null {
  return times.reduce((one, other) => (one === null || (other !== null && other > one) ? other : one), null);
}
