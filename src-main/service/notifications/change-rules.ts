import type { AuditStores } from '../audit/stores.ts';
import { HttpProblem } from '../common/problem.ts';
import type { NotificationRuleInput } from '../contract/notifications/notifications.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { Actor } from '../http/principal.ts';
import { allowHost } from '../outgoing/change-hosts.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { checkRule, type CheckRuleDeps } from './check-rule.ts';
import { rotateSecret } from './settings/rule-secrets.ts';
import type { NotificationRuleRow, RuleOwner } from './store/notification-rules-store.ts';
import type { NotificationStores } from './store/stores.ts';

export type ChangeRulesDeps = NotificationStores &
  AuditStores &
  CheckRuleDeps &
  Pick<ServiceContext, 'events' | 'settings'> & { readonly secrets: SecretBox };

/**
 * @returns the rule, and the secret of a webhook.
 * @throws HttpProblem 422 for a rule that cannot be, 409 for a name that is taken.
 */
export async function createRule(
  deps: ChangeRulesDeps,
  owner: RuleOwner,
  input: NotificationRuleInput,
  by: Actor,
): Promise<{ readonly rule: NotificationRuleRow; readonly secret: string | null }> {
  const toAllow = await checkRule(deps, owner, input, by);
  const rule = await deps.notificationRules.create(owner, input, Date.now());
  if (!rule) throw nameTaken(input.name);
  if (toAllow) await allowHost(deps, toAllow, by, `for the webhook of ${input.name}`);
  const secret = input.channel === 'webhook' ? await rotateSecret(deps, rule, Date.now()) : null;
  await record(deps, by, 'notification.create', rule, input);
  return { rule, secret };
}

export async function changeRule(
  deps: ChangeRulesDeps,
  rule: NotificationRuleRow,
  input: NotificationRuleInput,
  by: Actor,
): Promise<NotificationRuleRow> {
  const toAllow = await checkRule(deps, rule, input, by);
  if (input.channel !== rule.settings.channel)
    throw new HttpProblem(422, 'A rule keeps its channel. Create another one.', { type: 'bad-rule' });
  if (!(await deps.notificationRules.change(rule, input))) throw nameTaken(input.name);
  if (toAllow) await allowHost(deps, toAllow, by, `for the webhook of ${input.name}`);
  await record(deps, by, 'notification.change', rule, input);
  return (await deps.notificationRules.byId(rule.id)) ?? rule;
}

export async function removeRule(deps: ChangeRulesDeps, rule: NotificationRuleRow, by: Actor): Promise<void> {
  if (await deps.notificationRules.remove(rule.id)) await record(deps, by, 'notification.remove', rule, rule.settings);
}

/** The messages of a day are signed with both. @throws HttpProblem 422 for a rule that sends mail. */
export async function rotateRuleSecret(deps: ChangeRulesDeps, rule: NotificationRuleRow, by: Actor): Promise<string> {
  if (rule.settings.channel !== 'webhook')
    throw new HttpProblem(422, 'Only a webhook has a secret.', { type: 'bad-rule' });
  const secret = await rotateSecret(deps, rule, Date.now());
  await record(deps, by, 'notification.rotate-secret', rule, rule.settings);
  return secret;
}

/** @throws HttpProblem 404 for the rule of another user or project. */
export async function requireRuleOf(
  { notificationRules }: Pick<NotificationStores, 'notificationRules'>,
  owner: RuleOwner,
  id: number,
): Promise<NotificationRuleRow> {
  const rule = await notificationRules.byId(id);
  if (rule?.user_id !== owner.user_id || rule.project_id !== owner.project_id)
    throw new HttpProblem(404, 'There is no such rule.');
  return rule;
}

function nameTaken(name: string): HttpProblem {
  return new HttpProblem(409, `There is already a rule ${name}, or there are fifty. Choose another name.`, {
    type: 'name-taken',
  });
}

async function record(
  { audit, projects }: ChangeRulesDeps,
  by: Actor,
  action: string,
  { id, project_id: projectId }: NotificationRuleRow,
  { name, channel }: NotificationRuleInput,
): Promise<void> {
  const project = projectId === null ? null : await projects.byId(projectId);
  const of = project === null ? '' : `, of ${project.path}`;
  await audit.record({ ...by, action, subject: `notification:${id}`, detail: `${name}, by ${channel}${of}` });
}
