import type { NotificationKind } from '../../contract/notifications/notifications.ts';
import type { Database, Transaction } from '../../database/port/database.ts';
import { perEngine, rowsOf } from '../../database/port/dialect.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { runRows } from '../../database/port/steps.ts';
import type { PurgeStore } from '../../database/purge.ts';
import type { Happening } from './outbox.ts';

/** A happening for a user, for the members of a project, or, without either, for administrators. */
export interface KeptHappening extends Happening {
  readonly at: number;
}

export interface HappeningRow extends KeptHappening {
  readonly id: number;
  readonly project_path: string | null;
}

/** Who asks. */
export interface Viewer {
  readonly userId: number;
  readonly isAdmin: boolean;
}

export interface Seen {
  /** The newest happening that the user has seen. */
  readonly last_id: number;
  /** The newest happening when the user last looked at errors. */
  readonly last_error_id: number;
}

export interface HappeningsStore extends PurgeStore {
  /** Happenings for a user between two ids, both excluded, newest first. */
  list(viewer: Viewer, after: number, before: number, limit: number): Promise<readonly HappeningRow[]>;
  seen(userId: number): Promise<Seen>;
  /** Ids that lie before those seen already, or after the newest happening, change nothing more. */
  markSeen(userId: number, until: Seen, now: number): Promise<void>;
  /** How many happenings after an id are for a user and no routine, up to `maxCounted`. */
  countAfter(viewer: Viewer, id: number): Promise<number>;
  /** How many unresolved errors came or came back after an id, up to `maxCounted`. */
  countErrorsAfter(userId: number, id: number): Promise<number>;
}

/** Larger numbers are shown as 99+. */
const maxCounted = 100;
const keptMs = 30 * 86_400_000;
/** So that a flood of one kind leaves the others. */
const maxOfKind = 5000;
const rowsPerStep = 500;

const columns = 'at, kind, subject, measurement_id, project_id, user_id, title';
// Who is gone meanwhile is not told.
const isThere = (row: string): string =>
  `(${row}user_id IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = ${row}user_id))
     AND (${row}project_id IS NULL OR EXISTS (SELECT 1 FROM projects WHERE projects.id = ${row}project_id))`;
const keep = write<KeptHappening>(
  perEngine(
    `INSERT INTO happenings (${columns}) SELECT @at, @kind, @subject, @measurement_id, @project_id, @user_id, @title
     WHERE ${isThere('@')}`,
    `INSERT INTO happenings (${columns}) SELECT ${columns}
     FROM ${rowsOf('@rows', 'at bigint, kind text, subject text, measurement_id text, project_id bigint, user_id bigint, title text')}
     WHERE ${isThere('x.')}`,
  ),
);

/** Kinds that report success are not counted as new. */
const routine: readonly NotificationKind[] = ['run-registered', 'copy-verified'];

const ofMemberships =
  'user_id IS NULL AND project_id IN (SELECT project_id FROM project_members WHERE user_id = @user)';
const audiences = ['user_id = @user', ofMemberships, 'user_id IS NULL AND project_id IS NULL AND @isAdmin = 1'];
interface Range {
  readonly user: number;
  readonly isAdmin: number;
  readonly after: number;
  readonly before: number;
  readonly limit: number;
}
/** Each audience by its index, so that what is for others costs nothing. */
const ofViewer = (condition: string): string =>
  audiences
    .map(
      (audience, at) => `SELECT * FROM (SELECT * FROM happenings WHERE ${audience} AND id > @after AND id < @before
     ${condition} ORDER BY id DESC LIMIT @limit) AS audience_${at}`,
    )
    .join(' UNION ALL ');
const notRoutine = `AND kind NOT IN (${routine.map((kind) => `'${kind}'`).join(', ')})`;
const list = read<Range, HappeningRow>(
  `SELECT h.*, projects.path AS project_path FROM (${ofViewer('')}) AS h LEFT JOIN projects ON projects.id = h.project_id
   ORDER BY h.id DESC LIMIT @limit`,
);
const count = readValue<Range, number>(
  `SELECT count(*) FROM (SELECT id FROM (${ofViewer(notRoutine)}) AS h LIMIT @limit) AS counted`,
);
const errorKinds = `kind IN ('error-new', 'error-regressed')`;
const countErrors = readValue<{ user: number; after: number; limit: number }, number>(
  // The subject is error:ID.
  `SELECT count(*) FROM (SELECT DISTINCT errors.id FROM happenings AS h
     JOIN errors ON errors.id = CASE WHEN h.${errorKinds} THEN CAST(substr(h.subject, 7) AS bigint) END
     WHERE h.${errorKinds} AND h.id > @after AND h.user_id IS NULL AND errors.status = 'unresolved'
       AND h.project_id IN (SELECT project_id FROM project_members WHERE project_members.user_id = @user)
     LIMIT @limit) AS counted`,
);
const seen = read<[number], Seen>('SELECT last_id, last_error_id FROM happenings_seen WHERE user_id = ?');
const newest = '(SELECT ifnull(max(id), 0) FROM happenings)';
const within = (id: string): string => `CASE WHEN ${id} < ${newest} THEN ${id} ELSE ${newest} END`;
const later = (column: string): string =>
  `${column} = CASE WHEN excluded.${column} > happenings_seen.${column} THEN excluded.${column} ELSE happenings_seen.${column} END`;
const markSeen = write<Seen & { user: number; now: number }>(
  `INSERT INTO happenings_seen (user_id, last_id, last_error_id, seen_at)
   VALUES (@user, ${within('@last_id')}, ${within('@last_error_id')}, @now)
   ON CONFLICT (user_id) DO UPDATE SET ${later('last_id')}, ${later('last_error_id')}, seen_at = excluded.seen_at`,
);
const purgeOld = write<[number, number]>(
  'DELETE FROM happenings WHERE id IN (SELECT id FROM happenings WHERE at < ? ORDER BY at LIMIT ?)',
);
const surplusKinds = readValue<[number], NotificationKind>(
  'SELECT kind FROM happenings GROUP BY kind HAVING count(*) > ?',
);
const purgeSurplus = write<{ kind: string; most: number; limit: number }>(
  `DELETE FROM happenings WHERE id IN (SELECT id FROM happenings WHERE kind = @kind
     AND id <= (SELECT id FROM happenings WHERE kind = @kind ORDER BY id DESC LIMIT 1 OFFSET @most) ORDER BY id LIMIT @limit)`,
);

const none: Seen = { last_id: 0, last_error_id: 0 };

/** Keeps happenings, in the transaction that takes them out of the outbox. */
export function* keepHappenings(happenings: readonly KeptHappening[]): Transaction<void> {
  yield* runRows(keep, happenings);
}

/** Happenings of the last thirty days, and up to where users have seen them. */
export function happeningsStore(database: Database): HappeningsStore {
  return {
    list: async ({ userId, isAdmin }, after, before, limit) =>
      database.all(list, { user: userId, isAdmin: Number(isAdmin), after, before, limit }),
    seen: async (userId) => (await database.one(seen, userId)) ?? none,
    markSeen: async (userId, until, now) => void (await database.run(markSeen, { ...until, user: userId, now })),
    countAfter: async ({ userId, isAdmin }, after) =>
      (await database.one(count, {
        user: userId,
        isAdmin: Number(isAdmin),
        after,
        before: Number.MAX_SAFE_INTEGER,
        limit: maxCounted,
      })) ?? 0,
    countErrorsAfter: async (user, after) => (await database.one(countErrors, { user, after, limit: maxCounted })) ?? 0,
    purgeSome: async (now) => {
      if ((await database.run(purgeOld, now - keptMs, rowsPerStep)) === rowsPerStep) return true;
      const kind = await database.one(surplusKinds, maxOfKind);
      if (kind === null) return false;
      return (await database.run(purgeSurplus, { kind, most: maxOfKind, limit: rowsPerStep })) === rowsPerStep;
    },
  };
}
