import type { NotificationRuleRow, RuleOwner } from '../../service/notifications/store/notification-rules-store.ts';
import type { Services } from '../../service/services.ts';
import { requireProject } from '../projects/require-project.ts';
import { ownerOf } from '../support/owner-of.ts';
import { CommandError } from '../support/terminal.ts';

export interface OwnerOptions {
  readonly user?: string;
  readonly forProject?: string;
}

/** Whose rules a command is about, with a name for messages. */
export interface NamedOwner {
  readonly owner: RuleOwner;
  readonly name: string;
}

/** The project or user that the options name. @throws CommandError for one that is not there, or both. */
export async function ownerOfRules(
  services: Services,
  { user: username, forProject }: OwnerOptions,
): Promise<NamedOwner> {
  if (forProject === undefined) {
    const user = await ownerOf(services, username);
    return { owner: { user_id: user.id, project_id: null }, name: user.username };
  }
  if (username !== undefined) throw new CommandError('Give --user or --for-project, and not both.', 2);
  const project = await requireProject(services, forProject);
  return { owner: { user_id: null, project_id: project.id }, name: project.path };
}

/** The rule of a user or project with a name. @throws CommandError when there is none. */
export async function ruleOf(services: Services, name: string, options: OwnerOptions): Promise<NotificationRuleRow> {
  const found = await ownerOfRules(services, options);
  const rules = await services.notificationRules.ofOwner(found.owner);
  const rule = rules.find(({ settings }) => settings.name.toLowerCase() === name.toLowerCase());
  if (!rule) throw new CommandError(`${found.name} has no rule ${name}. "benchport notify list" shows them.`);
  return rule;
}
