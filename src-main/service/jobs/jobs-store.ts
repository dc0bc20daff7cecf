import type { Database } from '../database/port/database.ts';
import { isOfDeadReplica } from '../database/cluster/dead-replicas.ts';
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
  /** The replica whose process works on it; it may still do so when the state was changed by another. */
  readonly replica_id: number | null;
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
   * Has a process run a queued job.
   *
   * @param replicaId of the process among replicas; null for one process alone and for commands.
   * @returns the job as it runs; null when it was no longer queued, or another replica has not let
   * go of it yet.
   */
  start(id: number, process: string, replicaId?: number | null): Promise<JobRow | null>;
  /**
   * @param replicaId of the job as it was started.
   * @returns false when the job no longer runs there, because others changed it.
   */
  progress(id: number, progress: JobProgress, replicaId?: number | null): Promise<boolean>;
  remember(id: number, parameters: Readonly<Record<string, unknown>>, replicaId?: number | null): Promise<void>;
  /**
   * Applies how the work ended.
   *
   * @param replicaId of the job as it was started.
   * @returns false when this changed nothing, because others changed the job. @throws
   * ImpossibleEvent
   */
  end(id: number, end: JobEnd, replicaId?: number | null): Promise<boolean>;
  /** Fails a job that was interrupted and cannot resume. @returns whether it had not ended. */
  interrupt(id: number, message: string, replicaId?: number | null): Promise<boolean>;
  /** Lets others start a job whose work has stopped here, after they changed its state. */
  release(id: number, replicaId: number): Promise<void>;
  /** Jobs that dead replicas have not let go of. */
  ofDeadReplicas(): Promise<readonly JobRow[]>;
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
// Of several replicas that want the job, the others pass over it instead of waiting for the first.
const mayStart = perEngine(
  `id = @id AND ${starting.applies}`,
  `id = (SELECT id FROM jobs WHERE id = @id AND ${starting.applies} AND (replica_id IS NULL OR replica_id = @replicaId) FOR UPDATE SKIP LOCKED)
     AND (CAST(@replicaId AS bigint) IS NULL OR EXISTS (SELECT 1 FROM replicas WHERE id = @replicaId AND lease_until > milliseconds_now()))`,
);
const runsThere = '(CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId)';

const create = write<[string, string, number | null, string, number], JobRow>(
  `INSERT INTO jobs (kind, measurement_id, user_id, parameters, state, created_at) VALUES (?, ?, ?, ?, 'queued', ?) RETURNING *`,
);
const byId = read<[number], JobRow>('SELECT * FROM jobs WHERE id = ?');
const ofMeasurement = read<[string], JobRow>('SELECT * FROM jobs WHERE measurement_id = ? ORDER BY id');
const inState = read<[string], JobRow>(`SELECT * FROM jobs WHERE ${inTexts('state', '?')} ORDER BY id`);
const start = write<{ id: number; now: number; process: string; replicaId: number | null }, JobRow>(
  `UPDATE jobs SET state = ${starting.next}, started_at = ifnull(started_at, @now),
     parameters = ${startedBy}, replica_id = CAST(@replicaId AS bigint)
   WHERE ${mayStart} RETURNING *`,
);
const progress = write<JobProgress & { id: number; replicaId: number | null }>(
  `UPDATE jobs SET files_done = @filesDone, files_total = @filesTotal, bytes_done = @bytesDone, bytes_total = @bytesTotal, message = @message
   WHERE id = @id AND state = 'running' AND ${runsThere}`,
);
const remember = write<{ parameters: string; id: number; replicaId: number | null }>(
  `UPDATE jobs SET parameters = @parameters WHERE id = @id AND ${runsThere}`,
);
const release = write<[number, number]>(
  "UPDATE jobs SET replica_id = NULL WHERE id = ? AND replica_id = ? AND state <> 'running'",
);
const ofDeadReplicas = read<[], JobRow>(
  `SELECT * FROM jobs WHERE replica_id IS NOT NULL AND ${isOfDeadReplica('jobs.replica_id')} ORDER BY id`,
);
const purge = write<[number, number]>('DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE ended_at < ? LIMIT ?)');
const listing = (where: string) => ({
  ofAll: read<[], JobRow>(`SELECT * FROM jobs WHERE ${where} ORDER BY id DESC LIMIT 100`),
  ofUser: read<[number], JobRow>(`SELECT * FROM jobs WHERE user_id = ? AND ${where} ORDER BY id DESC LIMIT 100`),
});
const lists = { active: listing(`state IN ${active}`), ended: listing(`state NOT IN ${active}`), all: listing('TRUE') };
interface Applied {
  readonly id: number;
  readonly now: number;
  readonly message: string | null;
  readonly result: string | null;
  /** The replica whose work ended; null for what people ask for, and for one process alone. */
  readonly replicaId: number | null;
}
const applying = (event: JobEvent) => {
  const { next, applies } = transitionSql(jobTransitions, event);
  return write<Applied>(
    `UPDATE jobs SET state = ${next}, message = @message, result = @result,
       ended_at = CASE WHEN ${next} IN ${active} THEN NULL ELSE CAST(@now AS bigint) END,
       replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
     WHERE id = @id AND ${applies} AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running')`,
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
  async function apply(event: keyof typeof events, id: number, change: Omit<Applied, 'id' | 'now'>): Promise<boolean> {
    return database.transaction(function* () {
      if ((yield* run(events[event], { ...change, id, now: Date.now() })) > 0) return true;
      const row = yield* one(byId, id);
      if (row && row.replica_id === change.replicaId) requirePossible(jobTransitions, row.state, event);
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
    list: async (which, userId) =>
      userId === null ? database.all(lists[which].ofAll) : database.all(lists[which].ofUser, userId),
    ofMeasurement: async (measurementId) => database.all(ofMeasurement, measurementId),
    inState: async (...states) => database.all(inState, JSON.stringify(states)),
    start: async (id, process, replicaId = null) =>
      database.returning(start, { id, now: Date.now(), process, replicaId }),
    progress: async (id, now, replicaId = null) => (await database.run(progress, { ...now, id, replicaId })) > 0,
    remember: async (id, parameters, replicaId = null) =>
      void (await database.run(remember, { parameters: JSON.stringify(parameters), id, replicaId })),
    end: async (id, { event, message, result }, replicaId = null) => apply(event, id, { message, result, replicaId }),
    interrupt: async (id, message, replicaId = null) => apply('interrupt', id, { message, result: null, replicaId }),
    release: async (id, replicaId) => void (await database.run(release, id, replicaId)),
    ofDeadReplicas: async () => database.all(ofDeadReplicas),
    act: async (id, action, message) => apply(action, id, { message, result: null, replicaId: null }),
    purgeSome: async (now) => (await database.run(purge, now - keptAfterEndMs, rowsPerPurge)) === rowsPerPurge,
  };
}
