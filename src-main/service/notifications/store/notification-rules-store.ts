import type { NotificationRuleInput } from '../../contract/notifications/notifications.ts';
import type { Database, Reading } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { all, returning, run } from '../../database/port/steps.ts';

/** A rule belongs to a user, or to a project, whose members come and go. */
export type RuleOwner =
  | { readonly user_id: number; readonly project_id: null }
  | { readonly user_id: null; readonly project_id: number };

export type NotificationRuleRow = RuleOwner & {
  readonly id: number;
  readonly settings: NotificationRuleInput;
  /** Sealed. */
  readonly secret: Uint8Array | null;
  readonly old_secret: Uint8Array | null;
  readonly rotated_at: number | null;
  readonly last_sent_at: number | null;
  readonly failure: string | null;
  readonly created_at: number;
};

export interface NotificationRulesStore {
  /** Those of projects and of users who may sign in. */
  all(): Promise<readonly NotificationRuleRow[]>;
  /** By name. */
  ofOwner(owner: RuleOwner): Promise<readonly NotificationRuleRow[]>;
  byId(id: number): Promise<NotificationRuleRow | null>;
  /** @returns null when the owner has a rule of that name, or as many as one may have. */
  create(owner: RuleOwner, settings: NotificationRuleInput, now: number): Promise<NotificationRuleRow | null>;
  /** @returns false when another rule of the owner has the name. */
  change(rule: NotificationRuleRow, settings: NotificationRuleInput): Promise<boolean>;
  setSecret(id: number, secret: Uint8Array, old: Uint8Array | null, now: number): Promise<void>;
  remove(id: number): Promise<boolean>;
  sent(id: number, at: number): Promise<void>;
  failed(id: number, failure: string): Promise<void>;
}

/** The number of rules that a user may have. */
export const maxRules = 50;

type StoredRule = RuleOwner &
  Omit<NotificationRuleRow, 'settings' | keyof RuleOwner> & { readonly name: string; readonly settings: string };

const active = read<[], StoredRule>(
  `SELECT r.* FROM notification_rules AS r LEFT JOIN users ON users.id = r.user_id
   WHERE r.user_id IS NULL OR users.state = 'active' ORDER BY r.id`,
);
const ofUser = read<[number], StoredRule>('SELECT * FROM notification_rules WHERE user_id = ? ORDER BY lower(name)');
const ofProject = read<[number], StoredRule>(
  'SELECT * FROM notification_rules WHERE project_id = ? ORDER BY lower(name)',
);
const byId = read<[number], StoredRule>('SELECT * FROM notification_rules WHERE id = ?');
const insert = write<[number | null, number | null, string, string, number], StoredRule>(
  `INSERT INTO notification_rules (user_id, project_id, name, settings, created_at) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT DO NOTHING RETURNING *`,
);
const change = write<[string, string, number]>('UPDATE notification_rules SET name = ?, settings = ? WHERE id = ?');
const setSecret = write<[Uint8Array, Uint8Array | null, number, number]>(
  'UPDATE notification_rules SET secret = ?, old_secret = ?, rotated_at = ? WHERE id = ?',
);
const removeDeliveries = write<[number]>('DELETE FROM deliveries WHERE rule_id = ?');
const remove = write<[number]>('DELETE FROM notification_rules WHERE id = ?');
const sent = write<[number, number]>('UPDATE notification_rules SET last_sent_at = ?, failure = NULL WHERE id = ?');
const failed = write<[string, number]>('UPDATE notification_rules SET failure = ? WHERE id = ?');

function* rulesOf(owner: RuleOwner): Reading<readonly StoredRule[]> {
  return owner.project_id === null ? yield* all(ofUser, owner.user_id) : yield* all(ofProject, owner.project_id);
}

function ruleOf(row: StoredRule): NotificationRuleRow {
  return { ...row, settings: JSON.parse(row.settings) as NotificationRuleInput };
}

export function notificationRulesStore(database: Database): NotificationRulesStore {
  const orNull = (row: StoredRule | null): NotificationRuleRow | null => row && ruleOf(row);
  return {
    all: async () => (await database.all(active)).map(ruleOf),
    ofOwner: async (owner) => (await database.read(() => rulesOf(owner))).map(ruleOf),
    byId: async (id) => orNull(await database.one(byId, id)),
    create: async (owner, settings, now) =>
      orNull(
        await database.transaction(function* () {
          if ((yield* rulesOf(owner)).length >= maxRules) return null;
          const { user_id: user, project_id: project } = owner;
          return yield* returning(insert, user, project, settings.name, JSON.stringify(settings), now);
        }),
      ),
    change: async (rule, settings) =>
      database.transaction(function* () {
        const { id } = rule;
        const name = settings.name.toLowerCase();
        if ((yield* rulesOf(rule)).some((other) => other.id !== id && other.name.toLowerCase() === name)) return false;
        return (yield* run(change, settings.name, JSON.stringify(settings), id)) > 0;
      }),
    setSecret: async (id, secret, old, now) => void (await database.run(setSecret, secret, old, now, id)),
    remove: async (id) =>
      database.transaction(function* () {
        yield* run(removeDeliveries, id);
        return (yield* run(remove, id)) > 0;
      }),
    sent: async (id, at) => void (await database.run(sent, at, id)),
    failed: async (id, failure) => void (await database.run(failed, failure.slice(0, 500), id)),
  };
}
