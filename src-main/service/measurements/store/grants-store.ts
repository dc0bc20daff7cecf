import type { Database } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { one, returning } from '../../database/port/steps.ts';
import { tellProjectOf } from '../../notifications/store/outbox.ts';

export interface GrantRow {
  readonly id: number;
  readonly measurement_id: string;
  readonly user_id: number | null;
  readonly project_id: number | null;
  readonly everyone: 0 | 1;
  /** First millisecond at which the grant is no longer valid; null for no end. */
  readonly until: number | null;
  readonly created_at: number;
}

export interface GrantWithNames extends GrantRow {
  readonly username: string | null;
  readonly project_path: string | null;
}

export type GrantSubject = { readonly userId: number } | { readonly projectId: number } | { readonly everyone: true };

export interface GrantsStore {
  /** Adds a grant, or updates the end of an existing one. */
  grant(measurementId: string, subject: GrantSubject, until: number | null, by: number | null): Promise<GrantRow>;
  /** @returns whether the grant existed. */
  revoke(measurementId: string, grantId: number): Promise<boolean>;
  /** Removes a batch of grants to a user. @returns whether there may be more. */
  removeSome(userId: number): Promise<boolean>;
  ofMeasurement(measurementId: string): Promise<readonly GrantWithNames[]>;
  byId(measurementId: string, grantId: number): Promise<GrantWithNames | null>;
  /**
   * Returns until when a user may read a measurement by grants: null when no grant is valid now,
   * Infinity when one has no end, otherwise the latest end in milliseconds since 1970.
   */
  readableUntil(measurementId: string, userId: number, now: number): Promise<number | null>;
}

const named = `SELECT grants.*, username, projects.path AS project_path FROM grants
  LEFT JOIN users ON users.id = grants.user_id LEFT JOIN projects ON projects.id = project_id`;

// Grants of a removed project are deleted in batches (hidden-projects-store.ts); until then it has
// no members who could use them.
const shown = "ifnull(substr(projects.path, 1, 1), '') <> '-'";
const grantsPerStep = 50;

const upsert = write<[string, number | null, number | null, number, number | null, number, number | null], GrantRow>(
  `INSERT INTO grants (measurement_id, user_id, project_id, everyone, until, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT (measurement_id, ifnull(user_id, 0), ifnull(project_id, 0), everyone) DO UPDATE SET until = excluded.until RETURNING *`,
);
const ofProject = readValue<[string, number], number>(
  'SELECT 1 FROM grants WHERE measurement_id = ? AND project_id = ?',
);
const readableNow = readValue<[string], number>(`SELECT 1 FROM measurements WHERE id = ? AND state <> 'registering'`);
const revoke = write<[string, number]>('DELETE FROM grants WHERE measurement_id = ? AND id = ?');
const removeSome = write<[number, number]>(
  'DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE user_id = ? LIMIT ?)',
);
const ofMeasurement = read<[string], GrantWithNames>(
  `${named} WHERE measurement_id = ? AND ${shown} ORDER BY grants.id`,
);
const byId = read<[string, number], GrantWithNames>(`${named} WHERE measurement_id = ? AND grants.id = ? AND ${shown}`);
const readable = read<
  [string, number, number, number],
  { holds: number; latest: number | null; endless: number | null }
>(
  `SELECT count(*) AS holds, max(until) AS latest, max(CASE WHEN until IS NULL THEN 1 ELSE 0 END) AS endless FROM grants
   WHERE measurement_id = ? AND (until IS NULL OR until > ?)
     AND (everyone = 1 OR user_id = ? OR project_id IN (SELECT project_id FROM project_members WHERE project_members.user_id = ?))`,
);

/** Stores who may read a measurement besides its owner and the administrators. */
export function grantsStore(database: Database): GrantsStore {
  return {
    grant: async (measurementId, subject, until, by) => {
      const { userId, projectId, everyone } = columnsOf(subject);
      return database.transaction(function* () {
        const isNew = projectId !== null && (yield* one(ofProject, measurementId, projectId)) === null;
        const row = yield* returning(upsert, measurementId, userId, projectId, everyone, until, Date.now(), by);
        if (!row) throw new Error('INSERT ... RETURNING gave no row');
        if (isNew && (yield* one(readableNow, measurementId)) !== null) yield* tellProjectOf(measurementId, projectId);
        return row;
      });
    },
    revoke: async (measurementId, grantId) => (await database.run(revoke, measurementId, grantId)) > 0,
    removeSome: async (userId) => (await database.run(removeSome, userId, grantsPerStep)) === grantsPerStep,
    ofMeasurement: async (measurementId) => database.all(ofMeasurement, measurementId),
    byId: async (measurementId, grantId) => database.one(byId, measurementId, grantId),
    readableUntil: async (measurementId, userId, now) => {
      const row = await database.one(readable, measurementId, now, userId, userId);
      if (!row || row.holds === 0) return null;
      return row.endless === 1 ? Number.POSITIVE_INFINITY : row.latest;
    },
  };
}

function columnsOf(subject: GrantSubject): { userId: number | null; projectId: number | null; everyone: 0 | 1 } {
  return {
    userId: 'userId' in subject ? subject.userId : null,
    projectId: 'projectId' in subject ? subject.projectId : null,
    everyone: 'everyone' in subject ? 1 : 0,
  };
}
