import type { NotificationRuleInput } from '../../contract/notifications/notifications.ts';
import type { Database } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { one, returning, run } from '../../database/port/steps.ts';

export interface NotificationRuleRow {
  readonly id: number;
  readonly user_id: number;
  readonly settings: NotificationRuleInput;
  /** Sealed. */
  readonly secret: Uint8Array | null;
  readonly old_secret: Uint8Array | null;
  readonly rotated_at: number | null;
  readonly last_sent_at: number | null;
  readonly failure: string | null;
  readonly created_at: number;
}

export interface NotificationRulesStore {
  /** Those of users who may sign in. */
  all(): Promise<readonly NotificationRuleRow[]>;
  ofUser(userId: number): Promise<readonly NotificationRuleRow[]>;
  byId(id: number): Promise<NotificationRuleRow | null>;
  /** @returns null when the user has a rule of that name, or as many as one may have. */
  create(userId: number, settings: NotificationRuleInput, now: number): Promise<NotificationRuleRow | null>;
  /** @returns false when another rule of the user has the name. */
  change(rule: NotificationRuleRow, settings: NotificationRuleInput): Promise<boolean>;
  setSecret(id: number, secret: Uint8Array, old: Uint8Array | null, now: number): Promise<void>;
  remove(id: number): Promise<boolean>;
  sent(id: number, at: number): Promise<void>;
  failed(id: number, failure: string): Promise<void>;
}

/** The number of rules that a user may have. */
export const maxRules = 50;

type StoredRule = Omit<NotificationRuleRow, 'settings'> & { readonly settings: string };

const all = read<[], StoredRule>(
  `SELECT r.* FROM notification_rules AS r JOIN users ON users.id = r.user_id WHERE users.state = 'active' ORDER BY r.id`,
);
const ofUser = read<[number], StoredRule>('SELECT * FROM notification_rules WHERE user_id = ? ORDER BY lower(name)');
const byId = read<[number], StoredRule>('SELECT * FROM notification_rules WHERE id = ?');
const count = read<[number], { readonly count: number }>(
  'SELECT count(*) AS count FROM notification_rules WHERE user_id = ?',
);
const insert = write<[number, string, string, number], StoredRule>(
  `INSERT INTO notification_rules (user_id, name, settings, created_at) VALUES (?, ?, ?, ?)
   ON CONFLICT (user_id, lower(name)) DO NOTHING RETURNING *`,
);
const taken = read<[number, string, number], { readonly id: number }>(
  'SELECT id FROM notification_rules WHERE user_id = ? AND lower(name) = lower(?) AND id <> ?',
);
const change = write<[string, string, number]>('UPDATE notification_rules SET name = ?, settings = ? WHERE id = ?');
const setSecret = write<[Uint8Array, Uint8Array | null, number, number]>(
  'UPDATE notification_rules SET secret = ?, old_secret = ?, rotated_at = ? WHERE id = ?',
);
const removeDeliveries = write<[number]>('DELETE FROM deliveries WHERE rule_id = ?');
const remove = write<[number]>('DELETE FROM notification_rules WHERE id = ?');
const sent = write<[number, number]>('UPDATE notification_rules SET last_sent_at = ?, failure = NULL WHERE id = ?');
const failed = write<[string, number]>('UPDATE notification_rules SET failure = ? WHERE id = ?');

function ruleOf(row: StoredRule): NotificationRuleRow {
  return { ...row, settings: JSON.parse(row.settings) as NotificationRuleInput };
}

export function notificationRulesStore(database: Database): NotificationRulesStore {
  const orNull = (row: StoredRule | null): NotificationRuleRow | null => row && ruleOf(row);
  return {
    all: async () => (await database.all(all)).map(ruleOf),
    ofUser: async (userId) => (await database.all(ofUser, userId)).map(ruleOf),
    byId: async (id) => orNull(await database.one(byId, id)),
    create: async (userId, settings, now) =>
      orNull(
        await database.transaction(function* () {
          if (((yield* one(count, userId))?.count ?? 0) >= maxRules) return null;
          return yield* returning(insert, userId, settings.name, JSON.stringify(settings), now);
        }),
      ),
    change: async ({ id, user_id: userId }, settings) =>
      database.transaction(function* () {
        if (yield* one(taken, userId, settings.name, id)) return false;
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
