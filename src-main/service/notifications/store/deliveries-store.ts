import type { Database, Transaction } from '../../database/port/database.ts';
import { inNumbers, inTexts } from '../../database/port/dialect.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { all, run } from '../../database/port/steps.ts';
import type { PurgeStore } from '../../database/purge.ts';
import { keepHappenings, type KeptHappening } from './happenings-store.ts';
import type { Happening } from './outbox.ts';

/** A happening of the outbox, with what decides who is told. */
export interface OutboxRow extends Happening {
  readonly id: number;
  readonly at: number;
  /** Owner of the measurement; null where there is none, or it is gone. */
  readonly owner_id: number | null;
  readonly measurement_title: string | null;
  /** Projects whose members may read the measurement. */
  readonly readers: readonly number[];
}

/** Whom a happening is for: one user, the members of a project, or, without either, administrators. */
export interface Audience {
  readonly user: number | null;
  readonly project: number | null;
}

/** The audience of a happening, null for what only rules tell, and the rules that tell it. */
export interface Distribution {
  readonly audience: Audience | null;
  /** Ids of the rules that tell of it. */
  readonly rules: readonly number[];
}

export interface DeliveryRow extends Omit<Happening, 'user_id'> {
  readonly id: number;
  readonly rule_id: number;
  readonly at: number;
  readonly state: 'waiting' | 'sent' | 'given-up';
  readonly attempts: number;
  readonly retry_at: number | null;
  readonly message: string | null;
}

export interface DeliveriesStore extends PurgeStore {
  /**
   * Makes a delivery for each rule that tells of a happening, and moves the happenings from the
   * outbox to those that are kept, in one transaction.
   *
   * @param judge is called again if the transaction is.
   * @returns how many happenings there were.
   */
  distribute(limit: number, now: number, judge: (happening: OutboxRow) => Distribution): Promise<number>;
  /** Whether the outbox has a happening that is to be distributed. */
  hasHappenings(): Promise<boolean>;
  /** Rules that have something to tell. */
  waitingRules(): Promise<readonly number[]>;
  /** The oldest ones of a rule, whether or not their time has come. */
  waiting(ruleId: number, limit: number): Promise<readonly DeliveryRow[]>;
  countWaiting(ruleId: number): Promise<number>;
  /** By the id of the rule; rules without any are left out. */
  countWaitingOfRules(ruleIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  sent(ids: readonly number[]): Promise<void>;
  /** @param retryAt null when it is given up. */
  failed(ids: readonly number[], message: string, retryAt: number | null): Promise<void>;
  /** Newest first. @param before an id that is larger than those of all that are read */
  ofRule(ruleId: number, before: number, limit: number): Promise<readonly DeliveryRow[]>;
}

const keptMs = 30 * 86_400_000;
const rowsPerStep = 500;

const outbox = read<[number], Omit<OutboxRow, 'readers'>>(
  `SELECT o.*, m.owner_id, m.title AS measurement_title FROM outbox AS o LEFT JOIN measurements AS m ON m.id = o.measurement_id
   ORDER BY o.id LIMIT ?`,
);
const readers = read<{ ids: string; now: number }, { readonly measurement_id: string; readonly project_id: number }>(
  `SELECT measurement_id, project_id FROM grants
   WHERE ${inTexts('measurement_id', '@ids')} AND project_id IS NOT NULL AND (until IS NULL OR until > @now)`,
);
const first = readValue<[], number>('SELECT id FROM outbox ORDER BY id LIMIT 1');
const insert = write<Omit<Happening, 'user_id'> & { rule: number; at: number }>(
  `INSERT INTO deliveries (rule_id, at, kind, subject, measurement_id, project_id, title)
   VALUES (@rule, @at, @kind, @subject, @measurement_id, @project_id, @title)`,
);
const takeOut = write<[string]>(`DELETE FROM outbox WHERE ${inNumbers('id', '?')}`);
const waitingRules = readValue<[], number>(`SELECT DISTINCT rule_id FROM deliveries WHERE state = 'waiting'`);
const waiting = read<[number, number], DeliveryRow>(
  `SELECT * FROM deliveries WHERE rule_id = ? AND state = 'waiting' ORDER BY id LIMIT ?`,
);
const countWaiting = readValue<[number], number>(
  `SELECT count(*) FROM deliveries WHERE rule_id = ? AND state = 'waiting'`,
);
const countWaitingOfRules = read<[string], { readonly rule_id: number; readonly count: number }>(
  `SELECT rule_id, count(*) AS count FROM deliveries WHERE state = 'waiting' AND ${inNumbers('rule_id', '?')} GROUP BY rule_id`,
);
const sent = write<[string]>(
  `UPDATE deliveries SET state = 'sent', attempts = attempts + 1, retry_at = NULL, message = NULL WHERE ${inNumbers('id', '?')}`,
);
const retry = write<[number, string, string]>(
  `UPDATE deliveries SET attempts = attempts + 1, retry_at = ?, message = ? WHERE ${inNumbers('id', '?')}`,
);
const giveUp = write<[string, string]>(
  `UPDATE deliveries SET state = 'given-up', attempts = attempts + 1, retry_at = NULL, message = ? WHERE ${inNumbers('id', '?')}`,
);
const ofRule = read<[number, number, number], DeliveryRow>(
  'SELECT * FROM deliveries WHERE rule_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
);
const purge = write<[number, number]>(
  `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE at < ? AND state <> 'waiting' LIMIT ?)`,
);

function* withReaders(rows: readonly Omit<OutboxRow, 'readers'>[], now: number): Transaction<readonly OutboxRow[]> {
  const ids = JSON.stringify([...new Set(rows.flatMap(({ measurement_id: id }) => id ?? []))]);
  const projects = new Map<string, number[]>();
  for (const { measurement_id: id, project_id: projectId } of yield* all(readers, { ids, now }))
    projects.set(id, [...(projects.get(id) ?? []), projectId]);
  return rows.map((row) => ({ ...row, readers: projects.get(row.measurement_id ?? '') ?? [] }));
}

export function deliveriesStore(database: Database): DeliveriesStore {
  return {
    distribute: async (limit, now, judge) =>
      database.transaction(function* () {
        const happenings = yield* withReaders(yield* all(outbox, limit), now);
        const kept: KeptHappening[] = [];
        for (const one of happenings) {
          const { at, kind, subject, measurement_id, project_id, measurement_title: ofMeasurement } = one;
          const title = one.title === '' ? (ofMeasurement ?? '') : one.title;
          const { audience, rules } = judge(one);
          for (const rule of rules) yield* run(insert, { rule, at, kind, subject, measurement_id, project_id, title });
          if (audience !== null)
            kept.push({
              at,
              kind,
              subject,
              measurement_id,
              project_id: audience.project,
              user_id: audience.user,
              title,
            });
        }
        yield* keepHappenings(kept);
        yield* run(takeOut, JSON.stringify(happenings.map(({ id }) => id)));
        return happenings.length;
      }),
    hasHappenings: async () => (await database.one(first)) !== null,
    waitingRules: async () => database.all(waitingRules),
    waiting: async (ruleId, limit) => database.all(waiting, ruleId, limit),
    countWaiting: async (ruleId) => (await database.one(countWaiting, ruleId)) ?? 0,
    countWaitingOfRules: async (ruleIds) => {
      const counts = await database.all(countWaitingOfRules, JSON.stringify(ruleIds));
      return new Map(counts.map(({ rule_id: id, count }) => [id, count]));
    },
    sent: async (ids) => void (await database.run(sent, JSON.stringify(ids))),
    failed: async (ids, message, retryAt) => {
      const text = message.slice(0, 500);
      await (retryAt === null
        ? database.run(giveUp, text, JSON.stringify(ids))
        : database.run(retry, retryAt, text, JSON.stringify(ids)));
    },
    ofRule: async (ruleId, before, limit) => database.all(ofRule, ruleId, before, limit),
    purgeSome: async (now) => (await database.run(purge, now - keptMs, rowsPerStep)) === rowsPerStep,
  };
}
