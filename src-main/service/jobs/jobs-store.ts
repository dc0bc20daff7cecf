import type { Database } from '../database/port/database.ts';
import { inTexts, perEngine } from '../database/port/dialect.ts';
import { read, write } from '../database/port/query.ts';
import { one, run } from '../database/port/steps.ts';
import { activeJobStates, jobTransitions, type JobEvent } from '../../../src-shared/states/job-states.ts';
import { requirePossible } from '../../../src-shared/states/transitions.ts';
import type { JobAction, JobKind, JobState } from '../contract/jobs.ts';
import type { PurgeStore } from '../database/purge.ts';
import { stateList, transitionSql } from '../database/transition-sql.ts';

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

/** How the work of a job ended. */
export interface JobEnd {
  readonly event: Extract<JobEvent, 'succeed' | 'fail' | 'cancel' | 'pause' | 'requeue'>;
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
  /**
   * Has a process run a queued job. @returns the job as it runs; null when it was no longer queued.
   */
  start(id: number, process: string): Promise<JobRow | null>;
  /** @returns false when the job no longer runs, because it was cancelled elsewhere. */
  progress(id: number, progress: JobProgress): Promise<boolean>;
  remember(id: number, parameters: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Applies how the work ended. @returns false when this changed nothing, because the job was
   * cancelled elsewhere. @throws ImpossibleEvent
   */
  end(id: number, end: JobEnd): Promise<boolean>;
  /** Fails a job that was interrupted and cannot resume. @returns whether it had not ended. */
  interrupt(id: number, message: string): Promise<boolean>;
  /** Applies what a person asked for. @returns whether this changed the job. */
  act(id: number, action: JobAction, message: string | null): Promise<boolean>;
}

/** How long ended jobs stay in the list. */
const keptAfterEndMs = 30 * 86_400_000;
const rowsPerPurge = 200;
const active = stateList(activeJobStates);

const starting = transitionSql(jobTransitions, 'start');

const startedBy = perEngine(
  "json_set(json_remove(parameters, '$.needs_room'), '$.process', @process)",
  "CAST(CAST(parameters AS jsonb) - 'needs_room' || jsonb_build_object('process', CAST(@process AS text)) AS text)",
);

const create = write<[string, string, number | null, string, number], JobRow>(
  `INSERT INTO jobs (kind, measurement_id, user_id, parameters, state, created_at) VALUES (?, ?, ?, ?, 'queued', ?) RETURNING *`,
);
const byId = read<[number], JobRow>('SELECT * FROM jobs WHERE id = ?');
const ofMeasurement = read<[string], JobRow>('SELECT * FROM jobs WHERE measurement_id = ? ORDER BY id');
const inState = read<[string], JobRow>(`SELECT * FROM jobs WHERE ${inTexts('state', '?')} ORDER BY id`);
const start = write<{ id: number; now: number; process: string }, JobRow>(
  `UPDATE jobs SET state = ${starting.next}, started_at = ifnull(started_at, @now),
     parameters = ${startedBy}
   WHERE id = @id AND ${starting.applies} RETURNING *`,
);
const progress = write<[number, number, number, number, string | null, number]>(
  `UPDATE jobs SET files_done = ?, files_total = ?, bytes_done = ?, bytes_total = ?, message = ? WHERE id = ? AND state = 'running'`,
);
const remember = write<[string, number]>('UPDATE jobs SET parameters = ? WHERE id = ?');
const purge = write<[number, number]>('DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE ended_at < ? LIMIT ?)');
const listing = (where: string) =>
  read<[number | null, number | null], JobRow>(
    `SELECT * FROM jobs WHERE (CAST(? AS bigint) IS NULL OR user_id = ?) AND ${where} ORDER BY id DESC LIMIT 100`,
  );
const lists = { active: listing(`state IN ${active}`), ended: listing(`state NOT IN ${active}`), all: listing('TRUE') };
const applying = (event: JobEvent) => {
  const { next, applies } = transitionSql(jobTransitions, event);
  return write<{ id: number; now: number; message: string | null; result: string | null }>(
    `UPDATE jobs SET state = ${next}, message = @message, result = @result,
       ended_at = CASE WHEN ${next} IN ${active} THEN NULL ELSE CAST(@now AS bigint) END
     WHERE id = @id AND ${applies}`,
  );
};
const events = {
  pause: applying('pause'),
  resume: applying('resume'),
  cancel: applying('cancel'),
  retry: applying('retry'),
  succeed: applying('succeed'),
  fail: applying('fail'),
  requeue: applying('requeue'),
  interrupt: applying('interrupt'),
};

/** Jobs. */
export function jobsStore(database: Database): JobsStore {
  async function apply(
    event: keyof typeof events,
    id: number,
    message: string | null,
    result: string | null = null,
  ): Promise<boolean> {
    return database.transaction(function* () {
      if ((yield* run(events[event], { id, now: Date.now(), message, result })) > 0) return true;
      const row = yield* one(byId, id);
      if (row) requirePossible(jobTransitions, row.state, event);
      return false;
    });
  }

  return {
    create: async (job) => {
      const row = await database.returning(
        create,
        job.kind,
        job.measurementId,
        job.userId,
        JSON.stringify(job.parameters),
        Date.now(),
      );
      if (!row) throw new Error('INSERT ... RETURNING gave no row');
      return row;
    },
    byId: async (id) => database.one(byId, id),
    list: async (which, userId) => database.all(lists[which], userId, userId),
    ofMeasurement: async (measurementId) => database.all(ofMeasurement, measurementId),
    inState: async (...states) => database.all(inState, JSON.stringify(states)),
    start: async (id, process) => database.returning(start, { id, now: Date.now(), process }),
    progress: async (id, now) =>
      (await database.run(progress, now.filesDone, now.filesTotal, now.bytesDone, now.bytesTotal, now.message, id)) > 0,
    remember: async (id, parameters) => void (await database.run(remember, JSON.stringify(parameters), id)),
    end: async (id, { event, message, result }) => apply(event, id, message, result),
    interrupt: async (id, message) => apply('interrupt', id, message),
    act: async (id, action, message) => apply(action, id, message),
    purgeSome: async (now) => (await database.run(purge, now - keptAfterEndMs, rowsPerPurge)) === rowsPerPurge,
  };
}
