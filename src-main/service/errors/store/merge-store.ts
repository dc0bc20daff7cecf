import type { Database, Transaction } from '../../database/port/database.ts';
import { inNumbers, numbersOf } from '../../database/port/dialect.ts';
import { read, write } from '../../database/port/query.ts';
import { all, returning, run } from '../../database/port/steps.ts';
import { recordAudit, type NewAuditEvent } from '../../audit/audit-store.ts';
import type { StoredEventRow } from './error-event-store.ts';
import type { ErrorRow } from './list/error-rows.ts';

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

const byIds = read<[number, string], ErrorRow>(
  `SELECT * FROM errors WHERE project_id = ? AND ${inNumbers('id', '?')} ORDER BY first_seen, id`,
);
const moveErrors = write<[number, string]>(`UPDATE error_groups SET error_id = ? WHERE ${inNumbers('error_id', '?')}`);
const remove = write<[string]>(`DELETE FROM errors WHERE ${inNumbers('id', '?')}`);
const setState = write<Pick<ErrorRow, 'id' | 'status' | 'resolved_at' | 'regressed_at'>>(
  'UPDATE errors SET status = @status, resolved_at = @resolved_at, regressed_at = @regressed_at WHERE id = @id',
);
const setSummaryFields = write<ErrorSummaryFields & { readonly id: number }>(
  'UPDATE errors SET type = @type, value = @value, culprit = @culprit, level = @level, platform = @platform WHERE id = @id',
);
const copy = write<[number, number], { readonly id: number }>(
  `INSERT INTO errors (project_id, status, type, value, culprit, level, platform, first_seen, last_seen, events, resolved_at, regressed_at)
   SELECT project_id, status, type, value, culprit, level, platform, first_seen, last_seen, 0, resolved_at, regressed_at FROM errors
   WHERE id = ? AND project_id = ? RETURNING id`,
);
const groups = read<[number, number], { readonly id: number }>(
  'SELECT error_groups.id FROM error_groups JOIN errors ON errors.id = error_id WHERE error_id = ? AND errors.project_id = ? ORDER BY error_groups.id',
);
const moveGroups = write<[number, number, string]>(
  `UPDATE error_groups SET error_id = ? WHERE error_id = ? AND ${inNumbers('id', '?')}`,
);
const newest = read<[string], StoredPayload>(
  `SELECT payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample FROM error_events WHERE id = (SELECT max((SELECT max(id) FROM error_events WHERE group_id = value)) FROM ${numbersOf('?')} AS listed)`,
);
// The groups' counters include deleted events, so the sums are exact; a user counted in two
// groups is counted once.
const count = write<{ readonly id: number }>(
  `UPDATE errors SET
     first_seen = (SELECT min(first_seen) FROM error_groups WHERE error_id = @id),
     last_seen = (SELECT max(last_seen) FROM error_groups WHERE error_id = @id),
     events = (SELECT sum(events) FROM error_groups WHERE error_id = @id),
     users = (SELECT count(DISTINCT user_hash) FROM error_groups JOIN error_users ON group_id = error_groups.id WHERE error_id = @id),
     first_release = (SELECT first_release FROM error_groups WHERE error_id = @id AND first_release IS NOT NULL ORDER BY first_seen, id LIMIT 1),
     last_release = (SELECT last_release FROM error_groups WHERE error_id = @id AND last_release IS NOT NULL ORDER BY last_seen DESC, id DESC LIMIT 1)
   WHERE id = @id`,
);

/** Merging and unmerging; the audit entry is written in the transaction of the change. */
export function mergeStore(database: Database): MergeStore {
  function* mergeRows(
    projectId: number,
    ids: readonly number[],
    audit: (kept: number) => NewAuditEvent,
  ): Transaction<readonly MergedError[] | null> {
    const rows = yield* all(byIds, projectId, JSON.stringify(ids));
    const [kept, ...others] = rows;
    if (kept === undefined || rows.length < ids.length) return null;
    const before: MergedError[] = [];
    for (const { id, status } of rows)
      before.push({ id, status, groups: (yield* all(groups, id, projectId)).map((row) => row.id) });
    const otherIds = JSON.stringify(others.map((row) => row.id));
    const latest = rows.reduce((one, other) => (other.last_seen > one.last_seen ? other : one));
    yield* run(moveErrors, kept.id, otherIds);
    yield* run(remove, otherIds);
    yield* run(count, { id: kept.id });
    yield* run(setSummaryFields, { ...summaryFieldsOf(latest), id: kept.id });
    yield* run(setState, { id: kept.id, ...stateOf(kept, rows) });
    yield* recordAudit(audit(kept.id));
    return before;
  }

  return {
    merge: async (projectId, ids, audit) => database.grouped(() => mergeRows(projectId, ids, audit)),
    groupIds: async (projectId, errorId) => (await database.all(groups, errorId, projectId)).map((row) => row.id),
    newestEvent: async (groupIds) => database.one(newest, JSON.stringify(groupIds)),
    split: async (projectId, errorId, groupIds, summaries, audit) =>
      database.grouped(function* () {
        const owned = new Set((yield* all(groups, errorId, projectId)).map((row) => row.id));
        if (groupIds.length === 0 || groupIds.length >= owned.size || !groupIds.every((id) => owned.has(id)))
          return null;
        const created = (yield* returning(copy, errorId, projectId))?.id;
        if (created === undefined) return null;
        yield* run(moveGroups, created, errorId, JSON.stringify(groupIds));
        yield* run(count, { id: created });
        yield* run(count, { id: errorId });
        if (summaries.moved !== null) yield* run(setSummaryFields, { ...summaries.moved, id: created });
        if (summaries.left !== null) yield* run(setSummaryFields, { ...summaries.left, id: errorId });
        yield* recordAudit(audit(created));
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
