import type { Database, Transaction } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { returning } from '../../database/port/steps.ts';
import { exceededBy, type ExceededQuota } from './quotas-store.ts';

/** An upload of a measurement. The bytes received so far are the length of its file. */
export interface UploadRow {
  /** Unguessable, and part of its address. */
  readonly id: string;
  readonly measurement_id: string;
  readonly title: string;
  readonly owner_id: number;
  readonly project_id: number | null;
  readonly file_name: string;
  /** Null until the end of a body without a length. */
  readonly length: number | null;
  readonly created_at: number;
  /** When bytes last came. */
  readonly touched_at: number;
  /** When it was whole, or failed; null while bytes are missing. */
  readonly ended_at: number | null;
  /** The registration of what was received. */
  readonly job_id: number | null;
  readonly problem: string | null;
  /** This and the next four follow from its manifest; null for an upload without one. */
  readonly archive_tag: string | null;
  readonly file_count: number | null;
  readonly directory_offset: number | null;
  readonly files_from: number | null;
  readonly files_to: number | null;
  /**
   * Where its bytes go in the object storage as they come: its archive, or what stands for its body
   * when it has no manifest; null otherwise, and once it is cleared.
   */
  readonly object_key: string | null;
  /** The upload in parts of the object storage; null before the first part. */
  readonly object_upload: string | null;
}

export type NewUpload = Pick<
  UploadRow,
  | 'id'
  | 'measurement_id'
  | 'title'
  | 'owner_id'
  | 'project_id'
  | 'file_name'
  | 'length'
  | 'archive_tag'
  | 'file_count'
  | 'directory_offset'
  | 'files_from'
  | 'files_to'
  | 'object_key'
>;

export interface UploadsStore {
  /**
   * Begins an upload, if no quota would be exceeded.
   *
   * @returns null when another upload of a measurement with this id has not ended.
   */
  create(upload: NewUpload, now: number): Promise<UploadRow | ExceededQuota | null>;
  byId(id: string): Promise<UploadRow | null>;
  /** The upload of a measurement whose bytes are still missing. */
  receiving(measurementId: string): Promise<UploadRow | null>;
  /** The uploads of a user whose bytes are missing, the first one first. */
  unfinishedOf(ownerId: number, limit: number): Promise<readonly UploadRow[]>;
  /**
   * The uploads of a user that have not ended: their number, and the room that they need until they
   * are registered. The files of one without a manifest are copied out of it, and one that goes into the
   * object storage needs none.
   */
  unfinished(ownerId: number): Promise<{ readonly count: number; readonly bytes: number }>;
  /**
   * Claims the right to write until a time, or claims it for longer.
   *
   * @returns false when somebody else has it, or the upload has ended.
   */
  claim(id: string, writer: string, now: number, until: number): Promise<boolean>;
  release(id: string, writer: string, now: number): Promise<void>;
  /** Releases all: for the only process that writes, at its start. */
  releaseAll(): Promise<void>;
  setLength(id: string, length: number): Promise<void>;
  /** Its bytes are there, and a job registers them. */
  finish(id: string, jobId: number, now: number): Promise<void>;
  fail(id: string, problem: string, now: number): Promise<void>;
  /** Uploads to which nothing came since a time, or that ended before it. */
  untouched(before: number, limit: number): Promise<readonly UploadRow[]>;
  /** Uploads of a known length that have not ended, and to which nothing came since a time, the latest first. */
  waiting(before: number, limit: number): Promise<readonly UploadRow[]>;
  /** Ended uploads that left something in the object storage. */
  uncleared(limit: number): Promise<readonly UploadRow[]>;
  /** Nothing of it is in the object storage any more but its archive. */
  cleared(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

const columns =
  'id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload';
const create = write<NewUpload & { now: number }, UploadRow>(
  `INSERT INTO uploads (id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, archive_tag, file_count, directory_offset, files_from, files_to, object_key)
   VALUES (@id, @measurement_id, @title, @owner_id, @project_id, @file_name, @length, @now, @now, @archive_tag, @file_count, @directory_offset, @files_from, @files_to, @object_key)
   ON CONFLICT DO NOTHING RETURNING ${columns}`,
);
const byId = read<[string], UploadRow>(`SELECT ${columns} FROM uploads WHERE id = ?`);
const receiving = read<[string], UploadRow>(
  `SELECT ${columns} FROM uploads WHERE lower(measurement_id) = lower(?) AND ended_at IS NULL`,
);
const unfinishedOf = read<[number, number], UploadRow>(
  `SELECT ${columns} FROM uploads WHERE owner_id = ? AND ended_at IS NULL ORDER BY created_at, id LIMIT ?`,
);
const unfinished = read<[number], { readonly count: number; readonly bytes: number }>(
  `SELECT count(*) AS count, ifnull(sum(CASE WHEN object_key IS NOT NULL THEN 0 WHEN archive_tag IS NULL THEN 2 * length ELSE length END), 0) AS bytes
   FROM uploads WHERE owner_id = ? AND ended_at IS NULL`,
);
const claim = write<{ id: string; writer: string; now: number; until: number }>(
  `UPDATE uploads SET writer = @writer, writer_until = @until
   WHERE id = @id AND ended_at IS NULL AND (writer IS NULL OR writer = @writer OR writer_until < @now)`,
);
const release = write<[number, string, string]>(
  'UPDATE uploads SET writer = NULL, touched_at = ? WHERE id = ? AND writer = ?',
);
const releaseAll = write<[]>('UPDATE uploads SET writer = NULL WHERE writer IS NOT NULL');
const setLength = write<[number, string]>('UPDATE uploads SET length = ? WHERE id = ?');
const finish = write<[number, number, string]>(
  'UPDATE uploads SET job_id = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL',
);
const fail = write<[string, number, string]>(
  'UPDATE uploads SET problem = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL',
);
const untouched = read<[number, number, number], UploadRow>(
  `SELECT ${columns} FROM uploads WHERE touched_at < ? AND (ended_at IS NULL OR ended_at < ?) ORDER BY touched_at LIMIT ?`,
);
const waiting = read<[number, number], UploadRow>(
  `SELECT ${columns} FROM uploads WHERE ended_at IS NULL AND length IS NOT NULL AND touched_at < ? ORDER BY touched_at DESC LIMIT ?`,
);
const uncleared = read<[number], UploadRow>(
  `SELECT ${columns} FROM uploads WHERE object_key IS NOT NULL AND ended_at IS NOT NULL ORDER BY ended_at LIMIT ?`,
);
const cleared = write<[string]>('UPDATE uploads SET object_key = NULL WHERE id = ?');
const remove = write<[string]>('DELETE FROM uploads WHERE id = ?');

export function uploadsStore(database: Database): UploadsStore {
  return {
    create: async (upload, now) => database.transaction(() => createWithinQuota(upload, now)),
    byId: async (id) => database.one(byId, id),
    receiving: async (measurementId) => database.one(receiving, measurementId),
    unfinishedOf: async (ownerId, limit) => database.all(unfinishedOf, ownerId, limit),
    unfinished: async (ownerId) => (await database.one(unfinished, ownerId)) ?? { count: 0, bytes: 0 },
    claim: async (id, writer, now, until) => (await database.run(claim, { id, writer, now, until })) > 0,
    release: async (id, writer, now) => void (await database.run(release, now, id, writer)),
    releaseAll: async () => void (await database.run(releaseAll)),
    setLength: async (id, length) => void (await database.run(setLength, length, id)),
    finish: async (id, jobId, now) => void (await database.run(finish, jobId, now, id)),
    fail: async (id, problem, now) => void (await database.run(fail, problem, now, id)),
    untouched: async (before, limit) => database.all(untouched, before, before, limit),
    waiting: async (before, limit) => database.all(waiting, before, limit),
    uncleared: async (limit) => database.all(uncleared, limit),
    cleared: async (id) => void (await database.run(cleared, id)),
    remove: async (id) => void (await database.run(remove, id)),
  };
}

function* createWithinQuota(upload: NewUpload, now: number): Transaction<UploadRow | ExceededQuota | null> {
  const exceeded = yield* exceededBy(upload.owner_id, upload.project_id, upload.length ?? 0);
  if (exceeded !== null) return exceeded;
  return yield* returning(create, { ...upload, now });
}
