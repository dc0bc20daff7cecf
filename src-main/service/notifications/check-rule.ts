import type { AccountStores } from '../accounts/store/stores.ts';
import { HttpProblem } from '../common/problem.ts';
import type { NotificationKind, NotificationRuleInput } from '../contract/notifications/notifications.ts';
import type { Actor } from '../http/principal.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { OutgoingRefused } from '../http-client/outgoing-guard.ts';
import { requireAllowable } from '../outgoing/change-hosts.ts';
import type { OutgoingDeps } from '../outgoing/outgoing-hosts.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { RuleOwner } from './store/notification-rules-store.ts';
import { isMailOfMember } from './sending/mail-of-member.ts';

export type CheckRuleDeps = Pick<AccountStores, 'users'> & Pick<ProjectStores, 'projects'> & OutgoingDeps;

/** Kinds that the rule of a project can tell. */
export const kindsOfProjects: readonly NotificationKind[] = [
  'error-new',
  'error-regressed',
  'error-storm',
  'run-registered',
  'run-stuck',
  'degraded',
  'copy-verified',
  'copy-lost',
];
const mailAddress = /^[^\s@<>"(),:;\\[\]]{1,64}@[A-Za-z0-9.-]{1,255}$/;

/**
 * @returns the URL whose host has to be put on the list of allowed ones; null if there is none.
 * @throws HttpProblem 422 for a rule that cannot be.
 */
export async function checkRule(
  deps: CheckRuleDeps,
  owner: RuleOwner,
  input: NotificationRuleInput,
  by: Actor,
): Promise<URL | null> {
  if ((input.quiet_from === null) !== (input.quiet_until === null)) refuse('Give both ends of the quiet hours.');
  if (input.channel === 'mail' && !mailAddress.test(input.to)) refuse(`${input.to} is not an address of mail.`);
  // Whoever is at the machine has no user.
  const actor = by.userId === null ? null : await deps.users.byId(by.userId);
  const mayAllow = by.userId === null || actor?.is_admin === 1;
  if (owner.project_id === null) await checkOfUser(deps, owner.user_id, input, mayAllow);
  else await checkOfProject(deps, owner.project_id, input);
  if (input.channel !== 'webhook') return null;
  const url = URL.canParse(input.to) ? new URL(input.to) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return refuse('A webhook needs a URL with http or https, without a user and a password.');
  // Whoever is at the machine, or an administrator, allows a private host by naming it.
  return hostToAllow(deps, url, mayAllow);
}

function refuse(detail: string): never {
  throw new HttpProblem(422, detail, { type: 'bad-rule' });
}

async function checkOfUser(
  deps: CheckRuleDeps,
  userId: number,
  { everybody, project_id: projectId, channel, to }: NotificationRuleInput,
  mayMailAnyone: boolean,
): Promise<void> {
  const user = await deps.users.byId(userId);
  const isAdmin = user?.is_admin === 1;
  if (everybody && !isAdmin) refuse('Only an administrator may hear of the measurements and errors of everybody.');
  if (projectId !== null) {
    const project = await deps.projects.byId(projectId);
    if (!project || (!isAdmin && (await deps.projects.roleOf(projectId, userId)) === null))
      refuse('There is no such project, or you are not a member of it.');
  }
  // Or everybody could have this server write to strangers.
  if (channel === 'mail' && !mayMailAnyone && !isAdmin && to.toLowerCase() !== user?.email?.toLowerCase())
    refuse('Mail goes to the address of your account. Set it under Account, or ask an administrator.');
}

async function checkOfProject(
  deps: CheckRuleDeps,
  ownProject: number,
  { kinds, everybody, project_id: projectId, channel, to }: NotificationRuleInput,
): Promise<void> {
  const other = kinds.filter((kind) => !kindsOfProjects.includes(kind));
  if (other.length > 0)
    refuse(`The rule of a project tells of ${kindsOfProjects.join(', ')}, and not of ${other.join(', ')}.`);
  if (everybody)
    refuse('The rule of a project tells of its own errors and measurements, and not of those of everybody.');
  if (projectId !== null && projectId !== ownProject)
    refuse('The rule of a project tells of its own errors and measurements, and not of those of another project.');
  if (channel === 'mail' && !(await isMailOfMember(deps, ownProject, to)))
    refuse(`Mail of a project goes to its members, and ${to} is the address of none of them.`);
}

/**
 * @returns the URL if its host has to be put on the list of allowed ones.
 * @throws HttpProblem 422 for an address that this machine is not to ask.
 */
async function hostToAllow(deps: CheckRuleDeps, url: URL, mayAllow: boolean): Promise<URL | null> {
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
