import {
  captureTransitions,
  registeredCaptureStates,
  type CaptureEvent,
  type CaptureState,
} from '../../../../src-shared/states/capture-states.ts';
import { statesBefore } from '../../../../src-shared/states/transitions.ts';
import type { Database } from '../../database/port/database.ts';
import { inTexts } from '../../database/port/dialect.ts';
import { read, write } from '../../database/port/query.ts';
import { all, one, run } from '../../database/port/steps.ts';
import { stateList, transitionSql } from '../../database/transition-sql.ts';
import type { PurgeStore } from '../../database/purge.ts';
import type { Cause, CaptureRunRow, Look, NewRun, RegistrationPlan } from './capture-rows.ts';
import { tellThatRegistered, tellThatStuck } from './tell-of-run.ts';

/** Decisions of a person about a run before it is registered. */
export interface Decision {
  readonly wantedId?: string | null;
  readonly leavesOut?: boolean;
  readonly isForced?: boolean;
}

export interface CaptureRunsStore extends PurgeStore {
  byId(id: number): Promise<CaptureRunRow | null>;
  /** The latest runs with these names. */
  named(ruleId: number, names: readonly string[]): Promise<readonly CaptureRunRow[]>;
  /** Runs of a rule in these states, by id. */
  inStates(
    ruleId: number,
    states: readonly CaptureState[],
    after: number,
    limit: number,
  ): Promise<readonly CaptureRunRow[]>;
  /** Runs of a rule that are taken for present, by id. */
  present(ruleId: number, after: number, limit: number): Promise<readonly CaptureRunRow[]>;
  /** Runs of a rule that went away, those of last first. */
  missing(ruleId: number, limit: number): Promise<readonly CaptureRunRow[]>;
  add(ruleId: number, runs: readonly NewRun[], now: number): Promise<void>;
  look(id: number, look: Look): Promise<void>;
  /** @returns whether the event changed the state; if not, a new cause is stored without history. */
  apply(id: number, event: CaptureEvent, cause: Cause, now: number): Promise<boolean>;
  /** Why a run stays in its state. */
  explain(id: number, cause: Cause): Promise<void>;
  setMissing(id: number, since: number | null): Promise<void>;
  /** A run that is found under another name. */
  rename(id: number, name: string, inode: string): Promise<void>;
  decide(id: number, decision: Decision): Promise<void>;
  /** Stored before the id is reserved, so that a kill in between does not register twice. */
  plan(id: number, plan: RegistrationPlan, signature: string): Promise<void>;
  /** Its measurement, or none any more, with the signature of the files that it has. */
  setMeasurement(id: number, measurementId: string | null, signature: string | null): Promise<void>;
  /** Runs whose measurements have a verified copy on a server. @returns their number. */
  pushed(ruleId: number, baseUrl: string, now: number): Promise<number>;
  /** Runs whose measurements were removed. @returns their number. */
  measurementsRemoved(ruleId: number, now: number): Promise<number>;
  /** Runs whose removed measurements are there again. @returns their number. */
  measurementsRestored(ruleId: number, now: number): Promise<number>;
}

const byId = read<[number], CaptureRunRow>('SELECT * FROM capture_runs WHERE id = ?');
const named = read<[number, string], CaptureRunRow>(
  `SELECT * FROM capture_runs AS r WHERE rule_id = ? AND ${inTexts('name', '?')}
     AND generation = (SELECT max(generation) FROM capture_runs WHERE rule_id = r.rule_id AND name = r.name)`,
);
const inStates = read<[number, string, number, number], CaptureRunRow>(
  `SELECT * FROM capture_runs WHERE rule_id = ? AND ${inTexts('state', '?')} AND id > ? ORDER BY id LIMIT ?`,
);
const present = read<[number, number, number], CaptureRunRow>(
  `SELECT * FROM capture_runs WHERE rule_id = ? AND id > ? AND state <> 'gone' AND missing_since IS NULL ORDER BY id LIMIT ?`,
);
const missing = read<[number, number], CaptureRunRow>(
  `SELECT * FROM capture_runs WHERE rule_id = ? AND missing_since IS NOT NULL ORDER BY missing_since DESC, id DESC LIMIT ?`,
);
const insert = write<NewRun & { ruleId: number; now: number }>(
  `INSERT INTO capture_runs (rule_id, name, generation, state, reason, inode, first_seen_at, changed_at)
   VALUES (@ruleId, @name, @generation, @state, @reason, @inode, @now, @now)
   ON CONFLICT (rule_id, name, generation) DO NOTHING`,
);
const look = write<Look & { id: number }>(
  `UPDATE capture_runs SET inode = @inode, activity = @activity, signature = @signature, file_count = @file_count,
     total_bytes = @total_bytes, changed_at = @changed_at, ready_at = @ready_at, longest_gap_ms = @longest_gap_ms
   WHERE id = @id`,
);
const explain = write<Cause & { id: number }>(
  `UPDATE capture_runs SET reason = @reason, message = @message WHERE id = @id
     AND (ifnull(reason, '') <> ifnull(@reason, '') OR ifnull(message, '') <> ifnull(@message, ''))`,
);
const remember = write<[number, number]>(
  `INSERT INTO capture_history (run_id, at, state, reason, message)
   SELECT id, ?, state, reason, message FROM capture_runs WHERE id = ?`,
);
const forget = write<[number, number]>(
  `DELETE FROM capture_history WHERE run_id = ? AND id NOT IN
     (SELECT id FROM capture_history WHERE run_id = ? ORDER BY id DESC LIMIT 100)`,
);
const setMissing = write<[number | null, number]>('UPDATE capture_runs SET missing_since = ? WHERE id = ?');
const rename = write<[string, number, string, number]>(
  `UPDATE capture_runs SET name = ?, missing_since = NULL, generation =
     1 + ifnull((SELECT max(generation) FROM capture_runs AS o WHERE o.rule_id = capture_runs.rule_id AND o.id <> ?
       AND o.name = ?), 0)
   WHERE id = ?`,
);
const setInode = write<[string, number]>('UPDATE capture_runs SET inode = ? WHERE id = ?');
const decide = write<{ id: number; wantedId: string | null; leavesOut: number; isForced: number }>(
  'UPDATE capture_runs SET wanted_id = @wantedId, leaves_out = @leavesOut, is_forced = @isForced WHERE id = @id',
);
const setMeasurement = write<[string | null, string | null, number]>(
  'UPDATE capture_runs SET measurement_id = ?, registered_signature = ?, plan = NULL WHERE id = ?',
);
const plan = write<{ id: number; measurementId: string; signature: string; plan: string }>(
  'UPDATE capture_runs SET measurement_id = @measurementId, registered_signature = @signature, plan = @plan WHERE id = @id',
);
const pushable = read<[number, string], { id: number }>(
  `SELECT r.id FROM capture_runs AS r JOIN copies AS c ON c.measurement_id = r.measurement_id
   WHERE r.rule_id = ? AND r.state = 'registered' AND c.state = 'verified' AND c.base_url = ? LIMIT 500`,
);
const removable = read<[number], { id: number }>(
  `SELECT id FROM capture_runs WHERE rule_id = ? AND state IN ${stateList(registeredCaptureStates)}
     AND measurement_id IS NOT NULL AND measurement_id NOT IN (SELECT id FROM measurements) LIMIT 500`,
);
// Another measurement with the id was registered after the removal; a restored one was before it.
const restored = read<[number], { id: number }>(
  `SELECT r.id FROM capture_runs AS r JOIN measurements AS m ON m.id = r.measurement_id
   WHERE r.rule_id = ? AND r.state = 'skipped' AND r.reason = 'measurement-removed' AND m.state <> 'registering'
     AND m.registered_at <= (SELECT max(at) FROM capture_history WHERE run_id = r.id AND state = 'skipped') LIMIT 500`,
);

const goneKeptMs = 7 * 86_400_000;
const goneIds = read<[number], { id: number }>(
  `SELECT id FROM capture_runs WHERE state = 'gone' AND changed_at < ? ORDER BY id LIMIT 200`,
);
const forgetHistory = write<[number]>('DELETE FROM capture_history WHERE run_id = ?');
const forgetRun = write<[number]>('DELETE FROM capture_runs WHERE id = ?');

const events = Object.keys(captureTransitions.seen) as readonly CaptureEvent[];
const applying = new Map(
  events.map((event) => {
    const { next, applies } = transitionSql(captureTransitions, event);
    // Decisions of a person end with the state in which they were made.
    const undone = event === 'finish' || event === 'skip' ? ', wanted_id = NULL, leaves_out = 0, is_forced = 0' : '';
    return [
      event,
      write<Cause & { id: number }>(
        `UPDATE capture_runs SET state = ${next}, reason = @reason, message = @message${undone} WHERE id = @id AND ${applies}`,
      ),
    ] as const;
  }),
);

function* applied(id: number, event: CaptureEvent, { reason, message }: Cause, now: number) {
  const query = applying.get(event);
  if (!query || statesBefore(captureTransitions, event).length === 0) throw new Error(`no statement for ${event}`);
  if ((yield* run(query, { id, reason, message })) === 0) return false;
  yield* run(remember, now, id);
  yield* run(forget, id, id);
  const isStuck = event === 'fail' || (event === 'change' && reason === 'changed');
  const found = isStuck || event === 'finish' ? yield* one(byId, id) : null;
  if (found) yield* isStuck ? tellThatStuck(found, message) : tellThatRegistered(found);
  return true;
}

/** Runs in watched folders; every change of a state is in the history. */
export function captureRunsStore(database: Database): CaptureRunsStore {
  const applyToAll = async (
    ids: Promise<readonly { id: number }[]>,
    event: CaptureEvent,
    cause: Cause,
    now: number,
  ) => {
    let changed = 0;
    for (const { id } of await ids) if (await database.transaction(() => applied(id, event, cause, now))) changed += 1;
    return changed;
  };
  return {
    byId: async (id) => database.one(byId, id),
    named: async (ruleId, names) => database.all(named, ruleId, JSON.stringify(names)),
    inStates: async (ruleId, states, after, limit) =>
      database.all(inStates, ruleId, JSON.stringify(states), after, limit),
    present: async (ruleId, after, limit) => database.all(present, ruleId, after, limit),
    missing: async (ruleId, limit) => database.all(missing, ruleId, limit),
    add: async (ruleId, runs, now) =>
      database.transaction(function* () {
        for (const found of runs) yield* run(insert, { ...found, ruleId, now });
        const rows = yield* all(named, ruleId, JSON.stringify(runs.map(({ name }) => name)));
        for (const { id } of rows) yield* run(remember, now, id);
      }),
    look: async (id, found) => void (await database.run(look, { ...found, id })),
    apply: async (id, event, cause, now) => database.transaction(() => applied(id, event, cause, now)),
    explain: async (id, { reason, message }) => void (await database.run(explain, { reason, message, id })),
    setMissing: async (id, since) => void (await database.run(setMissing, since, id)),
    rename: async (id, name, inode) =>
      database.transaction(function* () {
        yield* run(rename, name, id, name, id);
        yield* run(setInode, inode, id);
      }),
    decide: async (id, { wantedId = null, leavesOut = false, isForced = false }) =>
      void (await database.run(decide, { id, wantedId, leavesOut: Number(leavesOut), isForced: Number(isForced) })),
    plan: async (id, planned, signature) =>
      void (await database.run(plan, { id, measurementId: planned.id, signature, plan: JSON.stringify(planned) })),
    setMeasurement: async (id, measurementId, signature) =>
      void (await database.run(setMeasurement, measurementId, signature, id)),
    pushed: async (ruleId, baseUrl, now) =>
      applyToAll(database.all(pushable, ruleId, baseUrl), 'copy', { reason: null, message: null }, now),
    // Temporary names come and go, and would be remembered for ever.
    purgeSome: async (now) => {
      const gone = await database.all(goneIds, now - goneKeptMs);
      if (gone.length === 0) return false;
      return database.transaction(function* () {
        for (const { id } of gone) {
          yield* run(forgetHistory, id);
          yield* run(forgetRun, id);
        }
        return true;
      });
    },
    measurementsRemoved: async (ruleId, now) =>
      applyToAll(database.all(removable, ruleId), 'remove', { reason: 'measurement-removed', message: null }, now),
    measurementsRestored: async (ruleId, now) =>
      applyToAll(database.all(restored, ruleId), 'restore', { reason: null, message: null }, now),
  };
}
