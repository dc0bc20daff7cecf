import type { Transaction } from '../../database/port/database.ts';
import { ignoringCase, inTexts } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import { all, one } from '../../database/port/steps.ts';
import { foldedKey } from '../../database/text-search.ts';
import { tell } from '../../notifications/store/outbox.ts';
import type { CaptureRuleInput } from '../../contract/capture/rules.ts';
import type { CaptureRunRow, RegistrationPlan } from './capture-rows.ts';

const settingsOf = read<[number], { settings: string }>('SELECT settings FROM capture_rules WHERE id = ?');
const projectAt = readValue<[string], number>(
  `SELECT id FROM projects WHERE ${ignoringCase('path')} = ${ignoringCase('?')}`,
);
const named = read<{ names: string; keys: string }, { id: number; is_admin: number }>(
  `SELECT id, is_admin FROM users WHERE state = 'active'
     AND (${inTexts(ignoringCase('username'), '@names')} OR ${inTexts('email_key', '@keys')})`,
);

/** Tells administrators, and the users and the project that the rule names, that a run needs a person. */
export function* tellThatStuck(run: CaptureRunRow, message: string | null): Transaction<void> {
  const title = `${run.name}: ${message ?? 'it needs a decision'}`;
  const happening = { kind: 'run-stuck', subject: `run:${run.id}`, measurement_id: null, project_id: null } as const;
  yield* tell({ ...happening, title });
  for (const { id, is_admin: isAdmin } of yield* toldBy(run))
    if (isAdmin === 0) yield* tell({ ...happening, title, user_id: id });
  const projectId = yield* projectOf(run);
  if (projectId !== null) yield* tell({ ...happening, title, project_id: projectId });
}

/** Tells those whom the rule names of a registered run; its owner hears of the registration itself. */
export function* tellThatRegistered(run: CaptureRunRow): Transaction<void> {
  const { measurement_id: id } = run;
  if (id === null || run.plan === null) return;
  const { ownerId } = JSON.parse(run.plan) as RegistrationPlan;
  const subject = `measurement:${id}`;
  for (const user of yield* toldBy(run))
    if (user.id !== ownerId)
      yield* tell({
        kind: 'run-registered',
        subject,
        measurement_id: id,
        project_id: null,
        user_id: user.id,
        title: '',
      });
}

/** The project of all runs of a rule; null for one without, and for a template, whose fields may not be known yet. */
function* projectOf(run: CaptureRunRow): Transaction<number | null> {
  const { project = null } = yield* settingsOfRule(run);
  return project === null ? null : yield* one(projectAt, project);
}

function* settingsOfRule(run: CaptureRunRow): Transaction<Partial<CaptureRuleInput>> {
  const rule = yield* one(settingsOf, run.rule_id);
  return rule === null ? {} : (JSON.parse(rule.settings) as Partial<CaptureRuleInput>);
}

function* toldBy(run: CaptureRunRow): Transaction<readonly { readonly id: number; readonly is_admin: number }[]> {
  const { notify = [] } = yield* settingsOfRule(run);
  if (notify.length === 0) return [];
  const names = JSON.stringify(notify.map((name) => name.toLowerCase()));
  return yield* all(named, { names, keys: JSON.stringify(notify.map(foldedKey)) });
}
