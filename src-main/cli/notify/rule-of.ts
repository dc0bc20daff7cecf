import type { NotificationRuleRow } from '../../service/notifications/store/notification-rules-store.ts';
import type { Services } from '../../service/services.ts';
import { ownerOf } from '../support/owner-of.ts';
import { CommandError } from '../support/terminal.ts';

/** The rule of a user with a name. @throws CommandError when there is none. */
export async function ruleOf(
  services: Services,
  name: string,
  username: string | undefined,
): Promise<NotificationRuleRow> {
  const user = await ownerOf(services, username);
  const rules = await services.notificationRules.ofUser(user.id);
  const rule = rules.find(({ settings }) => settings.name.toLowerCase() === name.toLowerCase());
  if (!rule) throw new CommandError(`${user.username} has no rule ${name}. "benchport notify list" shows them.`);
  return rule;
}
