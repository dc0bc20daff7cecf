import type { Database, Transaction } from '../../database/port/database.ts';
import { inNumbers } from '../../database/port/dialect.ts';
import { read, readValue, write, writeValue } from '../../database/port/query.ts';
import { all, one, returning, returningAll, run } from '../../database/port/steps.ts';
import { eventRowBytes } from './stored-event.ts';

export interface KeptProject {
  readonly id: number;
  readonly retention_days: number | null;
  readonly most_events: number | null;
  readonly max_bytes: number | null;
}

export interface KeptGroup {
  readonly id: number;
  readonly project_id: number;
  readonly error_id: number;
  readonly first_event_id: number | null;
  readonly first_seen: number;
  readonly last_received: number;
  /** Number of events received, an upper bound of those stored. */
  readonly events: number;
  /** Null until counted for the first time. */
  readonly stored_bytes: number | null;
}

/** Result of counting some of a group's stored events. */
export interface EventSum {
  readonly events: number;
  readonly bytes: number;
  /** Id of the last event counted; null when there was none. */
  readonly last: number | null;
  readonly more: boolean;
}

export interface RetentionStore {
  projects(): Promise<readonly KeptProject[]>;
  /** Returns groups of all projects in order of their ids. */
  groupsAfter(id: number, limit: number): Promise<readonly KeptGroup[]>;
  /** Counts some of a group's stored events, those with ids above `after`. */
  sumSome(groupId: number, after: number): Promise<EventSum>;
  /**
   * Sets the stored size of a group: `bytes` for the events up to `upTo`, plus its dictionary and
   * the events stored since.
   *
   * @returns the sum.
   */
  setBytes(groupId: number, bytes: number, upTo: number): Promise<number>;
  /**
   * Removes a few of a group's oldest events that were received before a time, never the first one.
   *
   * @returns how many.
   */
  removeReceivedBefore(group: KeptGroup, time: number): Promise<number>;
  /**
   * Removes a few of a group's oldest events, never the first one.
   *
   * @returns their number and size.
   */
  removeOldest(group: KeptGroup, most: number): Promise<{ readonly removed: number; readonly bytes: number }>;
  /** Removes errors with few events, including all their rows, in one transaction. */
  removeErrors(projectId: number, ids: readonly number[]): Promise<void>;
  /** Removes the hourly counts of a group before an hour. */
  removeHours(groupId: number, before: number): Promise<void>;
  /** Removes some of the counts of a group by minute before one. @returns whether there may be more. */
  removeMinutes(groupId: number, before: number): Promise<boolean>;
  /** Returns some errors whose last event was received before a time. */
  lastReceivedBefore(projectId: number, time: number): Promise<readonly number[]>;
  /**
   * Removes some of the counts of releases and ingestion before a time.
   *
   * @returns whether there may be more.
   */
  removeOldCounts(projectId: number, time: number): Promise<boolean>;
  /**
   * Returns the number of free bytes in the database file, which new rows can use before it grows.
   */
  reusableBytes(): Promise<number>;
}

const hour = 3600_000;
const day = 24 * hour;
// Steps are small because they share a transaction with incoming events, and become smaller when
// they are slow, because of large events or a slow disk.
const maxEventsPerStep = 50;
const minEventsPerStep = 5;
const maxStepMs = 30;
const rowsCountedPerStep = 5000;
const rowsPerStep = 200;
const errorsPerStep = 50;

const oldest = 'SELECT id, received_at FROM error_events WHERE group_id = ? AND id <> ? ORDER BY id LIMIT ?';
const ofRelease = 'project_id = @project AND release = @release AND environment = @environment AND day = @day';

const projects = read<[], KeptProject>(
  'SELECT id, retention_days, most_events, max_bytes FROM projects LEFT JOIN error_tracking_settings ON project_id = projects.id ORDER BY id',
);
const groupsAfter = read<[number, number], KeptGroup>(
  'SELECT id, project_id, error_id, first_event_id, first_seen, last_received, events, stored_bytes FROM error_groups WHERE id > ? ORDER BY id LIMIT ?',
);
const sumSome = read<[number, number, number], { events: number; bytes: number; last: number | null }>(
  `SELECT count(*) AS events, ifnull(sum(bytes), 0) AS bytes, max(id) AS last
   FROM (SELECT id, length(payload) + ${eventRowBytes} AS bytes FROM error_events WHERE group_id = ? AND id > ? ORDER BY id LIMIT ?) AS counted`,
);
const setBytes = writeValue<{ group: number; bytes: number; upTo: number }, number>(
  `UPDATE error_groups SET stored_bytes = @bytes
       + (SELECT ifnull(sum(length(payload) + ${eventRowBytes}), 0) FROM error_events WHERE group_id = @group AND id > @upTo)
       + ifnull((SELECT length(payload) FROM error_samples WHERE group_id = @group), 0)
     WHERE id = @group RETURNING stored_bytes`,
);
const oldestTime = read<[number, number, number], { received_at: number }>(oldest);
const removeOld = writeValue<[number, number, number, number], number>(
  `DELETE FROM error_events WHERE id IN (SELECT id FROM (${oldest}) AS oldest WHERE received_at < ?) RETURNING length(payload)`,
);
const removeOldest = writeValue<[number, number, number], number>(
  `DELETE FROM error_events WHERE id IN (SELECT id FROM (${oldest}) AS oldest) RETURNING length(payload)`,
);
const lessBytes = write<[number, number]>(
  'UPDATE error_groups SET stored_bytes = max(0, stored_bytes - ?) WHERE id = ?',
);
const removeErrors = write<[number, string]>(`DELETE FROM errors WHERE project_id = ? AND ${inNumbers('id', '?')}`);
const oldHour = readValue<[number, number], number>(
  'SELECT 1 FROM error_hours WHERE group_id = ? AND hour < ? LIMIT 1',
);
const removeHours = write<[number, number]>('DELETE FROM error_hours WHERE group_id = ? AND hour < ?');
const oldMinute = readValue<[number, number], number>(
  'SELECT 1 FROM error_minutes WHERE group_id = ? AND minute < ? LIMIT 1',
);
const removeMinutes = write<[number, number, number]>(
  'DELETE FROM error_minutes WHERE (group_id, minute) IN (SELECT group_id, minute FROM error_minutes WHERE group_id = ? AND minute < ? LIMIT ?)',
);
// Queried per status, because the index begins with it.
const lastSeen = readValue<[number, string, number, number, number], number>(
  `SELECT id FROM errors WHERE project_id = ? AND status = ? AND last_seen < ?
       AND NOT EXISTS (SELECT 1 FROM error_groups WHERE error_id = errors.id AND last_received >= ?) LIMIT ?`,
);
const removeIntake = write<[number, number]>('DELETE FROM ingest_counts WHERE project_id = ? AND hour < ?');
// For all projects, because the index begins with the time.
const removeSessions = write<[number, number]>(
  'DELETE FROM release_sessions WHERE (project_id, session_id) IN (SELECT project_id, session_id FROM release_sessions WHERE received_at < ? LIMIT ?)',
);
const oldRelease = read<[number, number], ReleaseDay>(
  'SELECT release, environment, day FROM release_days WHERE project_id = ? AND day < ? LIMIT 1',
);
const removeUsers = write<ReleaseDay & { project: number; most: number }>(
  `DELETE FROM release_users WHERE ${ofRelease} AND user_hash IN (SELECT user_hash FROM release_users WHERE ${ofRelease} LIMIT @most)`,
);
const removeRelease = write<ReleaseDay & { project: number }>(`DELETE FROM release_days WHERE ${ofRelease}`);

/**
 * Queries and deletions of retention. Each call is small enough not to delay other
 * writes noticeably.
 */
export function retentionStore(database: Database, reusableBytes: RetentionStore['reusableBytes']): RetentionStore {
  let eventsPerStep = maxEventsPerStep;
  /** @param remove deletes up to `most` events and returns the sizes of their payloads. */
  async function inStep(
    groupId: number,
    remove: (most: number) => Transaction<readonly number[]>,
  ): Promise<{ removed: number; bytes: number }> {
    const begin = performance.now();
    const most = eventsPerStep;
    const gone = await database.grouped(function* () {
      const sizes = yield* remove(most);
      const bytes = sizes.reduce((sum, size) => sum + size + eventRowBytes, 0);
      yield* run(lessBytes, bytes, groupId);
      return { removed: sizes.length, bytes };
    });
    const slow = performance.now() - begin > maxStepMs;
    eventsPerStep = slow
      ? Math.max(minEventsPerStep, Math.floor(eventsPerStep / 2))
      : Math.min(maxEventsPerStep, eventsPerStep + 1);
    return gone;
  }

  function* removeOldCounts(project: number, time: number): Transaction<boolean> {
    yield* run(removeIntake, project, Math.floor(time / hour));
    if ((yield* run(removeSessions, time, rowsPerStep)) > 0) return true;
    const release = yield* one(oldRelease, project, Math.floor(time / day));
    if (!release) return false;
    if ((yield* run(removeUsers, { ...release, project, most: rowsPerStep })) === 0)
      yield* run(removeRelease, { ...release, project });
    return true;
  }

  return {
    projects: async () => database.all(projects),
    groupsAfter: async (id, limit) => database.all(groupsAfter, id, limit),
    sumSome: async (groupId, after) => {
      const {
        events = 0,
        bytes = 0,
        last = null,
      } = (await database.one(sumSome, groupId, after, rowsCountedPerStep)) ?? {};
      return { events, bytes, last, more: events === rowsCountedPerStep };
    },
    setBytes: async (group, bytes, upTo) =>
      (await database.grouped(() => returning(setBytes, { group, bytes, upTo }))) ?? 0,
    removeReceivedBefore: async (group, time) => {
      const first = group.first_event_id ?? 0;
      // Usually there is nothing to remove, and a plain read detects that without a transaction.
      const found = await database.one(oldestTime, group.id, first, 1);
      if (!found || found.received_at >= time) return 0;
      return (await inStep(group.id, (most) => returningAll(removeOld, group.id, first, most, time))).removed;
    },
    removeOldest: async (group, excess) =>
      inStep(group.id, (most) =>
        returningAll(removeOldest, group.id, group.first_event_id ?? 0, Math.min(excess, most)),
      ),
    removeErrors: async (projectId, ids) =>
      void (await database.grouped(() => run(removeErrors, projectId, JSON.stringify(ids)))),
    removeHours: async (groupId, before) => {
      // Reads first, because thousands of groups are checked each time.
      if ((await database.one(oldHour, groupId, before)) !== null)
        await database.grouped(() => run(removeHours, groupId, before));
    },
    removeMinutes: async (groupId, before) =>
      (await database.one(oldMinute, groupId, before)) !== null &&
      (await database.grouped(() => run(removeMinutes, groupId, before, rowsPerStep))) === rowsPerStep,
    lastReceivedBefore: async (projectId, time) =>
      database.read(function* () {
        const ids: number[] = [];
        for (const status of ['unresolved', 'resolved', 'ignored'])
          ids.push(...(yield* all(lastSeen, projectId, status, time, time, errorsPerStep)));
        return ids;
      }),
    removeOldCounts: async (projectId, time) => database.grouped(() => removeOldCounts(projectId, time)),
    reusableBytes,
  };
}

interface ReleaseDay {
  readonly release: string;
  readonly environment: string;
  readonly day: number;
}
