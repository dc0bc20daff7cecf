import type { AccountStores } from '../accounts/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import { HttpProblem } from '../common/problem.ts';
import type { NotificationRuleInput } from '../contract/notifications/notifications.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { Actor } from '../http/principal.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { OutgoingRefused } from '../http-client/outgoing-guard.ts';
import { allowHost, requireAllowable } from '../outgoing/change-hosts.ts';
import type { OutgoingDeps } from '../outgoing/outgoing-hosts.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { rotateSecret } from './settings/rule-secrets.ts';
import type { NotificationRuleRow } from './store/notification-rules-store.ts';
import type { NotificationStores } from './store/stores.ts';

export type ChangeRulesDeps = NotificationStores &
  AuditStores &
  Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects'> &
  OutgoingDeps &
  Pick<ServiceContext, 'events' | 'settings'> & { readonly secrets: SecretBox };

const mailAddress = /^[^\s@<>"(),:;\\[\]]{1,64}@[A-Za-z0-9.-]{1,255}$/;

/**
 * @returns the rule, and the secret of a webhook.
 * @throws HttpProblem 422 for a rule that cannot be, 409 for a name that is taken.
 */
export async function createRule(
  deps: ChangeRulesDeps,
  userId: number,
  input: NotificationRuleInput,
  by: Actor,
): Promise<{ readonly rule: NotificationRuleRow; readonly secret: string | null }> {
  const toAllow = await requireRule(deps, userId, input, by);
  const rule = await deps.notificationRules.create(userId, input, Date.now());
  if (!rule) throw nameTaken(input.name);
  if (toAllow) await allowHost(deps, toAllow, by, `for the webhook of ${input.name}`);
  const secret = input.channel === 'webhook' ? await rotateSecret(deps, rule, Date.now()) : null;
  await record(deps, by, 'notification.create', rule.id, input);
  return { rule, secret };
}

export async function changeRule(
  deps: ChangeRulesDeps,
  rule: NotificationRuleRow,
  input: NotificationRuleInput,
  by: Actor,
): Promise<NotificationRuleRow> {
  const toAllow = await requireRule(deps, rule.user_id, input, by);
  if (input.channel !== rule.settings.channel)
    throw new HttpProblem(422, 'A rule keeps its channel. Create another one.', { type: 'bad-rule' });
  if (!(await deps.notificationRules.change(rule, input))) throw nameTaken(input.name);
  if (toAllow) await allowHost(deps, toAllow, by, `for the webhook of ${input.name}`);
  await record(deps, by, 'notification.change', rule.id, input);
  return (await deps.notificationRules.byId(rule.id)) ?? rule;
}

export async function removeRule(deps: ChangeRulesDeps, rule: NotificationRuleRow, by: Actor): Promise<void> {
  if (await deps.notificationRules.remove(rule.id))
    await record(deps, by, 'notification.remove', rule.id, rule.settings);
}

/** The messages of a day are signed with both. @throws HttpProblem 422 for a rule that sends mail. */
export async function rotateRuleSecret(deps: ChangeRulesDeps, rule: NotificationRuleRow, by: Actor): Promise<string> {
  if (rule.settings.channel !== 'webhook')
    throw new HttpProblem(422, 'Only a webhook has a secret.', { type: 'bad-rule' });
  const secret = await rotateSecret(deps, rule, Date.now());
  await record(deps, by, 'notification.rotate-secret', rule.id, rule.settings);
  return secret;
}

/** @throws HttpProblem 404 for the rule of another user. */
export async function requireOwnRule(
  { notificationRules }: Pick<NotificationStores, 'notificationRules'>,
  userId: number,
  id: number,
): Promise<NotificationRuleRow> {
  const rule = await notificationRules.byId(id);
  if (rule?.user_id !== userId) throw new HttpProblem(404, 'There is no such rule.');
  return rule;
}

function nameTaken(name: string): HttpProblem {
  return new HttpProblem(409, `There is already a rule ${name}, or there are fifty. Choose another name.`, {
    type: 'name-taken',
  });
}

/** @returns the URL whose host has to be put on the list of allowed ones; null if there is none. */
async function requireRule(
  deps: ChangeRulesDeps,
  userId: number,
  input: NotificationRuleInput,
  by: Actor,
): Promise<URL | null> {
  const refuse = (detail: string): never => {
    throw new HttpProblem(422, detail, { type: 'bad-rule' });
  };
  const user = await deps.users.byId(userId);
  if (input.everybody && user?.is_admin !== 1)
    refuse('Only an administrator may hear of the measurements and errors of everybody.');
  if ((input.quiet_from === null) !== (input.quiet_until === null)) refuse('Give both ends of the quiet hours.');
  if (input.project_id !== null) await requireProject(deps, userId, user?.is_admin === 1, input.project_id);
  if (input.channel === 'mail' && !mailAddress.test(input.to)) refuse(`${input.to} is not an address of mail.`);
  // Or everybody could have this server write to strangers.
  const mayMailAnyone = by.userId === null || user?.is_admin === 1;
  if (input.channel === 'mail' && !mayMailAnyone && input.to.toLowerCase() !== user?.email?.toLowerCase())
    refuse('Mail goes to the address of your account. Set it under Account, or ask an administrator.');
  if (input.channel !== 'webhook') return null;
  const url = URL.canParse(input.to) ? new URL(input.to) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return refuse('A webhook needs a URL with http or https, without a user and a password.');
  // Whoever is at the machine, or an administrator, allows a private host by naming it.
  return hostToAllow(deps, url, by.userId === null || user?.is_admin === 1);
}

/**
 * @returns the URL if its host has to be put on the list of allowed ones.
 * @throws HttpProblem 422 for an address that this machine is not to ask.
 */
async function hostToAllow(deps: ChangeRulesDeps, url: URL, mayAllow: boolean): Promise<URL | null> {
  try {
    await (await deps.outgoing.guard()).check(url);
    return null;
  } catch (error) {
    if (error instanceof OutgoingRefused) {
      if (!error.canBeAllowed || !mayAllow) throw new HttpProblem(422, error.message, { type: 'bad-rule' });
      await requireAllowable(deps, url);
      return url;
    }
    // A name that cannot be found now is judged again with each message.
    if (!(error instanceof HttpRequestError)) throw error;
    return null;
  }
}

async function requireProject(deps: ChangeRulesDeps, userId: number, isAdmin: boolean, id: number): Promise<void> {
  const project = await deps.projects.byId(id);
  if (!project || (!isAdmin && (await deps.projects.roleOf(id, userId)) === null))
    throw new HttpProblem(422, 'There is no such project, or you are not a member of it.', { type: 'bad-rule' });
}

async function record(
  { audit }: AuditStores,
  by: Actor,
  action: string,
  id: number,
  { name, channel }: NotificationRuleInput,
): Promise<void> {
  await audit.record({ ...by, action, subject: `notification:${id}`, detail: `${name}, by ${channel}` });
}
