import type Database from 'better-sqlite3';
import type { JobKind, JobState } from '../contract/jobs.ts';
import type { PurgeStore } from '../database/purge.ts';

export interface JobRow {
  readonly id: number;
  readonly kind: JobKind;
  readonly measurement_id: string;
  readonly user_id: number | null;
  /** JSON: the input of the job, and what it needs after a restart. */
  readonly parameters: string;
  readonly state: JobState;
  readonly files_done: number;
  readonly files_total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly message: string | null;
  readonly result: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

export interface NewJob {
  readonly kind: JobKind;
  readonly measurementId: string;
  readonly userId: number | null;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface JobProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly message: string | null;
}

export interface JobEnd {
  readonly state: 'done' | 'failed' | 'cancelled' | 'paused' | 'queued';
  readonly message: string | null;
  readonly result: string | null;
}

export interface JobsStore extends PurgeStore {
  create(job: NewJob): Promise<JobRow>;
  byId(id: number): Promise<JobRow | null>;
  /**
   * Newest first, at most a hundred: active jobs (queued, running, paused), ended ones or all; of
   * one user, or of all for null.
   */
  list(which: 'active' | 'ended' | 'all', userId: number | null): Promise<readonly JobRow[]>;
  ofMeasurement(measurementId: string): Promise<readonly JobRow[]>;
  inState(...states: readonly JobState[]): Promise<readonly JobRow[]>;
  /** Marks a queued job as running. @returns false when it was no longer queued. */
  start(id: number): Promise<boolean>;
  /** @returns false when the job no longer runs, because it was cancelled or paused elsewhere. */
  progress(id: number, progress: JobProgress): Promise<boolean>;
  remember(id: number, parameters: Readonly<Record<string, unknown>>): Promise<void>;
  end(id: number, end: JobEnd): Promise<void>;
  /** Changes the state if it is one of `from`. @returns whether it was changed. */
  change(id: number, from: readonly JobState[], to: JobState, message: string | null): Promise<boolean>;
}

/** How long ended jobs stay in the list. */
const keptAfterEndMs = 30 * 86_400_000;
const rowsPerPurge = 200;
const active = `('queued', 'running', 'paused')`;

/** Jobs in SQLite. */
export function jobsStore(database: Database.Database): JobsStore {
  const create = database.prepare<[string, string, number | null, string, number], JobRow>(
    `INSERT INTO jobs (kind, measurement_id, user_id, parameters, state, created_at) VALUES (?, ?, ?, ?, 'queued', ?) RETURNING *`,
  );
  const byId = database.prepare<[number], JobRow>('SELECT * FROM jobs WHERE id = ?');
  const listing = (where: string) =>
    database.prepare<[number | null, number | null], JobRow>(
      `SELECT * FROM jobs WHERE (? IS NULL OR user_id = ?) AND ${where} ORDER BY id DESC LIMIT 100`,
    );
  const lists = { active: listing(`state IN ${active}`), ended: listing(`state NOT IN ${active}`), all: listing('1') };
  const ofMeasurement = database.prepare<[string], JobRow>('SELECT * FROM jobs WHERE measurement_id = ? ORDER BY id');
  const inState = database.prepare<[string], JobRow>(
    'SELECT * FROM jobs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY id',
  );
  const start = database.prepare<[number, number]>(
    `UPDATE jobs SET state = 'running', started_at = ifnull(started_at, ?), ended_at = NULL WHERE id = ? AND state = 'queued'`,
  );
  const progress = database.prepare<[number, number, number, number, string | null, number]>(
    `UPDATE jobs SET files_done = ?, files_total = ?, bytes_done = ?, bytes_total = ?, message = ? WHERE id = ? AND state = 'running'`,
  );
  const remember = database.prepare<[string, number]>('UPDATE jobs SET parameters = ? WHERE id = ?');
  const end = database.prepare<[string, string | null, string | null, number | null, number]>(
    'UPDATE jobs SET state = ?, message = ?, result = ?, ended_at = ? WHERE id = ?',
  );
  const change = database.prepare<[string, string | null, number | null, number, string]>(
    'UPDATE jobs SET state = ?, message = ?, ended_at = ? WHERE id = ? AND state IN (SELECT value FROM json_each(?))',
  );
  const purge = database.prepare<[number, number]>(
    'DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE ended_at < ? LIMIT ?)',
  );
  return {
    create: async (job) => {
      const row = create.get(job.kind, job.measurementId, job.userId, JSON.stringify(job.parameters), Date.now());
      if (!row) throw new Error('INSERT ... RETURNING gave no row');
      return row;
    },
    byId: async (id) => byId.get(id) ?? null,
    list: async (which, userId) => lists[which].all(userId, userId),
    ofMeasurement: async (measurementId) => ofMeasurement.all(measurementId),
    inState: async (...states) => inState.all(JSON.stringify(states)),
    start: async (id) => start.run(Date.now(), id).changes > 0,
    progress: async (id, now) =>
      progress.run(now.filesDone, now.filesTotal, now.bytesDone, now.bytesTotal, now.message, id).changes > 0,
    remember: async (id, parameters) => void remember.run(JSON.stringify(parameters), id),
    end: async (id, how) => void end.run(how.state, how.message, how.result, endedAt(how.state), id),
    change: async (id, from, to, message) => change.run(to, message, endedAt(to), id, JSON.stringify(from)).changes > 0,
    purgeSome: async (now) => purge.run(now - keptAfterEndMs, rowsPerPurge).changes === rowsPerPurge,
  };
}

function endedAt(state: JobState): number | null {
  return state === 'done' || state === 'failed' || state === 'cancelled' ? Date.now() : null;
}
