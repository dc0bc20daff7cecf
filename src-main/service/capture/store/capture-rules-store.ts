import type { CaptureRuleInput, CaptureRuleState } from '../../contract/capture/rules.ts';
import type { Database } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { returning, run } from '../../database/port/steps.ts';
import type { CaptureRuleRow } from './capture-rows.ts';

export interface CaptureRulesStore {
  all(): Promise<readonly CaptureRuleRow[]>;
  byId(id: number): Promise<CaptureRuleRow | null>;
  byName(name: string): Promise<CaptureRuleRow | null>;
  /** @returns null when another rule has the name. */
  create(settings: CaptureRuleInput, now: number): Promise<CaptureRuleRow | null>;
  /**
   * @param beginsAnew whether what is in the folder now was there before the rule.
   * @returns null when another rule has the name, or there is no such rule.
   */
  change(id: number, settings: CaptureRuleInput, beginsAnew: boolean): Promise<CaptureRuleRow | null>;
  /** Its runs and their history go with it. @returns whether it existed. */
  remove(id: number): Promise<boolean>;
  /** Sets a state that is new; only `starting` ends a pause, which a look may overlap. @returns whether it is. */
  setState(id: number, state: CaptureRuleState, message: string | null, now: number): Promise<boolean>;
  looked(id: number, at: number, everyMs: number): Promise<void>;
  /** The inode of the folder has been read. */
  setRoot(id: number, root: string): Promise<void>;
  begun(id: number): Promise<void>;
}

type StoredRule = Omit<CaptureRuleRow, 'settings'> & { readonly settings: string };

const all = read<[], StoredRule>('SELECT * FROM capture_rules ORDER BY lower(name)');
const byId = read<[number], StoredRule>('SELECT * FROM capture_rules WHERE id = ?');
const byName = read<[string], StoredRule>('SELECT * FROM capture_rules WHERE lower(name) = lower(?)');
const insert = write<[string, string, string, number, number], StoredRule>(
  `INSERT INTO capture_rules (name, folder, settings, state, since, created_at) VALUES (?, ?, ?, 'starting', ?, ?)
   ON CONFLICT (lower(name)) DO NOTHING RETURNING *`,
);
const nameTaken = read<[string, number], { id: number }>(
  'SELECT id FROM capture_rules WHERE lower(name) = lower(?) AND id <> ?',
);
const change = write<[string, string, string, number, number], StoredRule>(
  `UPDATE capture_rules SET name = ?, folder = ?, settings = ?,
     -- A folder that was replaced is accepted by saving its rule.
     is_begun = CASE WHEN CAST(? AS INTEGER) = 1 THEN 0 ELSE is_begun END, root = NULL
   WHERE id = ? RETURNING *`,
);
const removeHistory = write<[number]>(
  'DELETE FROM capture_history WHERE run_id IN (SELECT id FROM capture_runs WHERE rule_id = ?)',
);
const removeRuns = write<[number]>('DELETE FROM capture_runs WHERE rule_id = ?');
const remove = write<[number]>('DELETE FROM capture_rules WHERE id = ?');
const setState = write<{ id: number; state: CaptureRuleState; message: string | null; now: number }>(
  `UPDATE capture_rules SET since = CASE WHEN state = @state THEN since ELSE @now END, state = @state, message = @message
   WHERE id = @id AND (state <> @state OR ifnull(message, '') <> ifnull(@message, ''))
     AND (state <> 'paused' OR @state = 'starting')`,
);
const looked = write<[number, number, number]>(
  'UPDATE capture_rules SET looked_at = ?, look_every_ms = ? WHERE id = ?',
);
const setRoot = write<[string, number]>('UPDATE capture_rules SET root = ? WHERE id = ?');
const begun = write<[number]>('UPDATE capture_rules SET is_begun = 1 WHERE id = ?');

function ruleOf({ settings, ...row }: StoredRule): CaptureRuleRow {
  // Older rules have no list.
  return { ...row, settings: { notify: [], ...(JSON.parse(settings) as Omit<CaptureRuleInput, 'notify'>) } };
}

function ruleOrNull(row: StoredRule | null): CaptureRuleRow | null {
  return row && ruleOf(row);
}

export function captureRulesStore(database: Database): CaptureRulesStore {
  return {
    all: async () => (await database.all(all)).map(ruleOf),
    byId: async (id) => ruleOrNull(await database.one(byId, id)),
    byName: async (name) => ruleOrNull(await database.one(byName, name)),
    create: async (settings, now) =>
      ruleOrNull(
        await database.transaction(() =>
          returning(insert, settings.name, settings.folder, JSON.stringify(settings), now, now),
        ),
      ),
    change: async (id, settings, beginsAnew) => {
      if (await database.one(nameTaken, settings.name, id)) return null;
      const text = JSON.stringify(settings);
      const anew = Number(beginsAnew);
      return ruleOrNull(
        await database.transaction(() => returning(change, settings.name, settings.folder, text, anew, id)),
      );
    },
    remove: async (id) =>
      database.transaction(function* () {
        yield* run(removeHistory, id);
        yield* run(removeRuns, id);
        return (yield* run(remove, id)) > 0;
      }),
    setState: async (id, state, message, now) => (await database.run(setState, { id, state, message, now })) > 0,
    looked: async (id, at, everyMs) => void (await database.run(looked, at, everyMs, id)),
    setRoot: async (id, root) => void (await database.run(setRoot, root, id)),
    begun: async (id) => void (await database.run(begun, id)),
  };
}
