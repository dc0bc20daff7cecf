import type { AuditStores } from '../../audit/stores.ts';
import type { Events } from '../../common/events.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { CaptureRuleInput } from '../../contract/capture/rules.ts';
import type { Actor } from '../../http/principal.ts';
import type { CaptureRuleRow } from '../store/capture-rows.ts';
import type { CaptureStores } from '../store/stores.ts';
import { requireRule, type RequireRuleDeps } from './require-rule.ts';

export type ChangeRulesDeps = RequireRuleDeps &
  Pick<CaptureStores, 'captureRules'> &
  AuditStores & { readonly events: Events };

/** @throws HttpProblem 422 for a rule that cannot be, 409 for a name or a folder that is watched already. */
export async function createRule(deps: ChangeRulesDeps, input: CaptureRuleInput, by: Actor): Promise<CaptureRuleRow> {
  await requireRule(deps, input);
  await requireOther(deps, input, null);
  const rule = await deps.captureRules.create(input, Date.now());
  if (!rule) throw nameTaken(input.name);
  await changed(deps, by, 'capture.create', `${input.name}: ${input.folder}`);
  return rule;
}

/** Runs that are known stay known, unless the rule now finds other ones. */
export async function changeRule(
  deps: ChangeRulesDeps,
  rule: CaptureRuleRow,
  input: CaptureRuleInput,
  by: Actor,
): Promise<CaptureRuleRow> {
  await requireRule(deps, input);
  await requireOther(deps, input, rule.id);
  const old = rule.settings;
  const beginsAnew = (['folder', 'unit', 'layout', 'pattern'] as const).some((key) => old[key] !== input[key]);
  const next = await deps.captureRules.change(rule.id, input, beginsAnew);
  if (!next) throw nameTaken(input.name);
  await changed(deps, by, 'capture.change', `${input.name}: ${input.folder}`);
  return next;
}

/** The runs are forgotten; measurements and files stay. */
export async function removeRule(deps: ChangeRulesDeps, rule: CaptureRuleRow, by: Actor): Promise<void> {
  if (await deps.captureRules.remove(rule.id)) await changed(deps, by, 'capture.remove', rule.settings.name);
}

export async function pauseRule(
  deps: ChangeRulesDeps,
  rule: CaptureRuleRow,
  isPaused: boolean,
  by: Actor,
): Promise<CaptureRuleRow> {
  const isSo = (rule.state === 'paused') === isPaused;
  if (!isSo) {
    await deps.captureRules.setState(rule.id, isPaused ? 'paused' : 'starting', null, Date.now());
    await changed(deps, by, 'capture.change', `${rule.settings.name}: ${isPaused ? 'paused' : 'resumed'}`);
  }
  return (await deps.captureRules.byId(rule.id)) ?? rule;
}

/** @throws HttpProblem 404 */
export async function requireRuleById(
  { captureRules }: Pick<CaptureStores, 'captureRules'>,
  id: number,
): Promise<CaptureRuleRow> {
  const rule = await captureRules.byId(id);
  if (!rule) throw new HttpProblem(404, 'There is no such rule.');
  return rule;
}

function nameTaken(name: string): HttpProblem {
  return new HttpProblem(409, `There is already a rule ${name}. Choose another name.`, { type: 'name-taken' });
}

/** Two rules for the same runs would register each of them twice. */
async function requireOther(deps: ChangeRulesDeps, input: CaptureRuleInput, id: number | null): Promise<void> {
  const keys = ['folder', 'unit', 'layout', 'pattern'] as const;
  const same = (await deps.captureRules.all()).find(
    (rule) => rule.id !== id && keys.every((key) => rule.settings[key] === input[key]),
  );
  if (same)
    throw new HttpProblem(409, `The rule ${same.settings.name} takes the same runs. Edit it instead.`, {
      type: 'same-runs',
    });
}

async function changed(deps: ChangeRulesDeps, by: Actor, action: string, detail: string): Promise<void> {
  await deps.audit.record({ ...by, action, subject: 'capture', detail });
  deps.events.emit('changed', { topic: 'captures' });
}
