import type { Database, Transaction } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';

/** How much may be taken, and is. */
export interface Quota {
  /** Null without a limit. */
  readonly quotaBytes: number | null;
  /**
   * Of measurements in the library or the object storage, also of removed ones that can be restored,
   * and of uploads that have begun.
   */
  readonly usedBytes: number;
  /** Share of uploads that are not measurements yet. */
  readonly unfinishedBytes: number;
  /** Share of removed measurements that are kept. */
  readonly removedBytes: number;
}

/** Whose quota an upload would exceed. */
export interface ExceededQuota extends Quota {
  readonly of: 'user' | 'project';
}

export interface QuotasStore {
  ofUser(id: number): Promise<Quota>;
  ofProject(id: number): Promise<Quota>;
  setOfUser(id: number, bytes: number | null): Promise<void>;
  setOfProject(id: number, bytes: number | null): Promise<void>;
  /**
   * Takes the bytes that an upload needs once it is registered, which may be more than its length.
   *
   * @param measurementId that it becomes.
   * @returns the quota that would be exceeded; then nothing was taken.
   */
  reserve(measurementId: string, bytes: number): Promise<ExceededQuota | null>;
}

// A measurement under registration has no total yet, so its upload counts in its place.
const uploaded = `SELECT sum(ifnull(reserved_bytes, ifnull(length, 0))) FROM uploads
   WHERE problem IS NULL AND (ended_at IS NULL OR EXISTS (
     SELECT 1 FROM measurements WHERE id = uploads.measurement_id AND state = 'registering'))`;
const stored = "SELECT sum(total_bytes) FROM measurements WHERE storage = 'library'";
const ofOwner = 'owner_id = @id';
const ofMembers = 'id IN (SELECT measurement_id FROM grants WHERE project_id = @id)';
// Removed ones count until they are purged.
const isKept = 'EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id)';

interface QuotaRow {
  readonly quota: number | null;
  readonly available: number;
  readonly unfinished: number;
  readonly removed: number;
}

const sumOf = (sum: string, name: string): string => `CAST(ifnull((${sum}), 0) AS bigint) AS ${name}`;
const ofUser = read<{ id: number }, QuotaRow>(
  `SELECT quota_bytes AS quota, ${sumOf(`${stored} AND ${ofOwner} AND state <> 'registering'`, 'available')},
     ${sumOf(`${uploaded} AND owner_id = @id`, 'unfinished')}, ${sumOf(`${stored} AND ${ofOwner} AND ${isKept}`, 'removed')}
   FROM users WHERE id = @id`,
);
const ofProject = read<{ id: number }, QuotaRow>(
  `SELECT quota_bytes AS quota, ${sumOf(`${stored} AND ${ofMembers} AND state <> 'registering'`, 'available')},
     ${sumOf(`${uploaded} AND project_id = @id`, 'unfinished')}, ${sumOf(`${stored} AND ${ofMembers} AND ${isKept}`, 'removed')}
   FROM projects WHERE id = @id`,
);
// Most have none, and their measurements are not summed up.
const limitOfUser = readValue<[number], number>(
  'SELECT quota_bytes FROM users WHERE id = ? AND quota_bytes IS NOT NULL',
);
const limitOfProject = readValue<[number], number>(
  'SELECT quota_bytes FROM projects WHERE id = ? AND quota_bytes IS NOT NULL',
);
const setOfUser = write<[number | null, number]>('UPDATE users SET quota_bytes = ? WHERE id = ?');
const setOfProject = write<[number | null, number]>('UPDATE projects SET quota_bytes = ? WHERE id = ?');
const uploadOf = read<[string], { id: string; owner: number; project: number | null; taken: number }>(
  `SELECT id, owner_id AS owner, project_id AS project, ifnull(reserved_bytes, ifnull(length, 0)) AS taken
   FROM uploads WHERE measurement_id = ? AND problem IS NULL ORDER BY created_at DESC LIMIT 1`,
);
const takeBytes = write<[number, string]>('UPDATE uploads SET reserved_bytes = ? WHERE id = ?');

export function quotasStore(database: Database): QuotasStore {
  return {
    ofUser: async (id) => quotaIn(await database.one(ofUser, { id })),
    ofProject: async (id) => quotaIn(await database.one(ofProject, { id })),
    setOfUser: async (id, bytes) => void (await database.run(setOfUser, bytes, id)),
    setOfProject: async (id, bytes) => void (await database.run(setOfProject, bytes, id)),
    reserve: async (measurementId, bytes) => database.transaction(() => reserve(measurementId, bytes)),
  };
}

function* reserve(measurementId: string, bytes: number): Transaction<ExceededQuota | null> {
  const upload = yield* one(uploadOf, measurementId);
  if (upload === null) return null;
  const more = Math.max(0, bytes - upload.taken);
  const exceeded = yield* exceededBy(upload.owner, upload.project, more);
  if (exceeded === null && more > 0) yield* run(takeBytes, bytes, upload.id);
  return exceeded;
}

/** Which quota would be exceeded by so many bytes more; null when none. */
export function* exceededBy(
  ownerId: number,
  projectId: number | null,
  bytes: number,
): Transaction<ExceededQuota | null> {
  if ((yield* one(limitOfUser, ownerId)) !== null) {
    const quota = quotaIn(yield* one(ofUser, { id: ownerId }));
    if (isExceeded(quota, bytes)) return { of: 'user', ...quota };
  }
  if (projectId === null || (yield* one(limitOfProject, projectId)) === null) return null;
  const quota = quotaIn(yield* one(ofProject, { id: projectId }));
  return isExceeded(quota, bytes) ? { of: 'project', ...quota } : null;
}

function isExceeded({ quotaBytes, usedBytes }: Quota, bytes: number): boolean {
  return quotaBytes !== null && usedBytes + bytes > quotaBytes;
}

function quotaIn(row: QuotaRow | null): Quota {
  const { quota, available, unfinished, removed } = row ?? { quota: null, available: 0, unfinished: 0, removed: 0 };
  return {
    quotaBytes: quota,
    usedBytes: available + unfinished + removed,
    unfinishedBytes: unfinished,
    removedBytes: removed,
  };
}
