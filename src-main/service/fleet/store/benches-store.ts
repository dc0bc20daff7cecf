import { watchedBenchStates, type BenchState } from '../../../../src-shared/states/bench-states.ts';
import type { BenchChange, BenchReport } from '../../contract/fleet/fleet.ts';
import type { Database, Transaction } from '../../database/port/database.ts';
import { inTexts, lockingRows } from '../../database/port/dialect.ts';
import { read, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import { stateList } from '../../database/transition-sql.ts';
import { afterJudgement, afterReport, type BenchCondition } from '../silence/after-report.ts';
import type { Judgement, Sighting } from '../silence/silence-watch.ts';
import type { Absence, Habits } from '../silence/usual-silence.ts';
import { concernsOf, minFreeShareOf } from './bench-concerns.ts';
import { tellOfSilence } from './tell-of-silence.ts';
import { versionKey } from './version-order.ts';

/** A report whose signature was verified. */
export interface ReceivedReport {
  readonly benchId: string;
  readonly userId: number;
  readonly report: BenchReport;
  readonly clockAheadMs: number;
}

/** `since` of a report that came too late is the sequence number that is known. */
export type Received =
  | {
      readonly kind: 'taken';
      readonly isNew: boolean;
      readonly ownerBefore: number | null;
      readonly hasChanged: boolean;
    }
  | { readonly kind: 'out-of-order'; readonly sequence: number }
  | { readonly kind: 'too-many' };

export interface BenchesStore {
  receive(received: ReceivedReport, now: number): Promise<Received>;
  /** Benches whose reports are awaited. */
  sightings(): Promise<readonly Sighting[]>;
  habits(ids: readonly string[]): Promise<ReadonlyMap<string, Habits>>;
  /** Applies judgements, and has those that became silent told in the same transaction. @returns whether any applied. */
  judge(judgements: readonly Judgement[], now: number): Promise<boolean>;
  change(id: string, change: BenchChange): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}

export const maxBenchesOfUser = 500;

type Known = Omit<BenchCondition, 'absences'> & {
  readonly sequence: number;
  readonly user_id: number;
  readonly absences: string;
  readonly has_concern: 0 | 1;
  readonly name: string;
};

const known = read<[string], Known>(
  `SELECT state, since, missed_since, absences, sequence, user_id, has_concern, ifnull(own_name, reported_name) AS name
   FROM benches WHERE id = ? ${lockingRows}`,
);
const countOfUser = read<[number], { readonly count: number }>(
  'SELECT count(*) AS count FROM benches WHERE user_id = ?',
);

interface Written {
  readonly id: string;
  readonly userId: number;
  readonly state: BenchState;
  readonly since: number;
  readonly sequence: number;
  readonly now: number;
  readonly missedSince: number | null;
  readonly clockAheadMs: number;
  readonly report: string;
  readonly name: string;
  readonly versionKey: string;
  readonly lastRunAt: number | null;
  readonly backlogBytes: number;
  readonly freePermille: number;
  readonly errors: number;
  readonly hasConcern: number;
  readonly absences: string;
}

const insert = write<Written>(
  `INSERT INTO benches (id, user_id, state, since, sequence, first_heard_at, heard_at, missed_since, clock_ahead_ms, report,
     reported_name, version_key, last_run_at, backlog_bytes, free_permille, errors, has_concern, absences)
   VALUES (@id, @userId, @state, @since, @sequence, @now, @now, @missedSince, @clockAheadMs, @report,
     @name, @versionKey, @lastRunAt, @backlogBytes, @freePermille, @errors, @hasConcern, @absences)`,
);
const update = write<Written>(
  `UPDATE benches SET user_id = @userId, state = @state, since = @since, sequence = @sequence, heard_at = @now,
     missed_since = @missedSince, clock_ahead_ms = @clockAheadMs, report = @report, reported_name = @name,
     version_key = @versionKey, last_run_at = @lastRunAt, backlog_bytes = @backlogBytes, free_permille = @freePermille,
     errors = @errors, has_concern = @hasConcern, absences = @absences
   WHERE id = @id`,
);
const sightings = read<[], Sighting>(
  `SELECT id, state, sequence, expected, missed_since FROM benches WHERE state IN ${stateList(watchedBenchStates)}`,
);
type StoredHabits = Pick<Habits, 'expected'> & {
  readonly id: string;
  readonly first_heard_at: number;
  readonly absences: string;
};
const habits = read<[string], StoredHabits>(
  `SELECT id, expected, first_heard_at, absences FROM benches WHERE ${inTexts('id', '?')}`,
);
const setState = write<[BenchState, number, number | null, string]>(
  'UPDATE benches SET state = ?, since = ?, missed_since = ? WHERE id = ?',
);
const anyUnheard = read<[], { readonly id: string }>(`SELECT id FROM benches WHERE state = 'unheard' LIMIT 1`);
const setName = write<[string | null, string]>('UPDATE benches SET own_name = ? WHERE id = ?');
const setNote = write<[string, string]>('UPDATE benches SET note = ? WHERE id = ?');
const setExpected = write<[string, string]>('UPDATE benches SET expected = ? WHERE id = ?');
const exists = read<[string], { readonly id: string }>('SELECT id FROM benches WHERE id = ?');
const remove = write<[string]>('DELETE FROM benches WHERE id = ?');

const events = { closing: 'close', asleep: 'sleep' } as const;

function conditionOf({ absences, ...row }: Known): BenchCondition {
  return { ...row, absences: JSON.parse(absences) as readonly Absence[] };
}

function* receive(received: ReceivedReport, now: number): Transaction<Received> {
  const { benchId, userId, report } = received;
  const before = yield* one(known, benchId);
  if (before && report.sequence <= before.sequence) return { kind: 'out-of-order', sequence: before.sequence };
  if (before?.user_id !== userId && ((yield* one(countOfUser, userId))?.count ?? 0) >= maxBenchesOfUser)
    return { kind: 'too-many' };
  const event = report.going === null ? 'report' : events[report.going];
  const first = { state: 'reporting', since: now, missed_since: null, absences: [] } as const;
  const condition = afterReport(before ? conditionOf(before) : first, event, now);
  const written = writtenOf(received, condition, now);
  yield* run(before ? update : insert, written);
  return {
    kind: 'taken',
    isNew: before === null,
    ownerBefore: before === null || before.user_id === userId ? null : before.user_id,
    hasChanged: before?.state !== condition.state || before.has_concern !== written.hasConcern,
  };
}

function writtenOf(received: ReceivedReport, condition: BenchCondition, now: number): Written {
  const { benchId: id, userId, report, clockAheadMs } = received;
  return {
    id,
    userId,
    state: condition.state,
    since: condition.since,
    sequence: report.sequence,
    now,
    missedSince: condition.missed_since,
    clockAheadMs,
    report: JSON.stringify(report),
    name: report.name,
    versionKey: versionKey(report.version),
    lastRunAt: report.last_run === null ? null : Date.parse(report.last_run.registered_at),
    backlogBytes: report.copies.waiting_bytes,
    freePermille: Math.floor(minFreeShareOf(report) * 1000),
    errors: report.errors.events_last_hour,
    hasConcern: Number(concernsOf(report, clockAheadMs).length > 0),
    absences: JSON.stringify(condition.absences),
  };
}

function* judge(judgements: readonly Judgement[], now: number): Transaction<boolean> {
  const wasUnheard = (yield* one(anyUnheard)) !== null;
  const silent: { id: string; name: string; since: number }[] = [];
  let hasChanged = false;
  let unheardSince: number | null = null;
  for (const { id, event, since } of judgements) {
    const before = yield* one(known, id);
    if (!before) continue;
    const after = afterJudgement(conditionOf(before), event, since, now);
    if (after.state === before.state) continue;
    yield* run(setState, after.state, now, after.missed_since, id);
    hasChanged = true;
    if (after.state === 'silent') silent.push({ id, name: before.name, since: after.missed_since ?? since });
    if (after.state === 'unheard') unheardSince = Math.max(unheardSince ?? 0, since);
  }
  yield* tellOfSilence(silent, wasUnheard ? null : unheardSince);
  return hasChanged;
}

export function benchesStore(database: Database): BenchesStore {
  return {
    receive: async (received, now) => database.transaction(() => receive(received, now)),
    sightings: async () => database.all(sightings),
    habits: async (ids) => {
      const rows = await database.all(habits, JSON.stringify(ids));
      return new Map(
        rows.map(({ id, expected, first_heard_at: firstHeardAt, absences }) => [
          id,
          { expected, firstHeardAt, absences: JSON.parse(absences) as readonly Absence[] },
        ]),
      );
    },
    judge: async (judgements, now) => database.transaction(() => judge(judgements, now)),
    change: async (id, { name, note, expected }) =>
      database.transaction(function* () {
        if ((yield* one(exists, id)) === null) return false;
        if (name !== undefined) yield* run(setName, name, id);
        if (note !== undefined) yield* run(setNote, note, id);
        if (expected !== undefined) yield* run(setExpected, expected, id);
        return true;
      }),
    remove: async (id) => (await database.run(remove, id)) > 0,
  };
}
