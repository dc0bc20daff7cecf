import type { Command } from 'commander';
import type { NotificationRuleRow } from '../../service/notifications/store/notification-rules-store.ts';
import type { Services } from '../../service/services.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { ruleOf, type OwnerOptions } from './rule-of.ts';

/** Adds the options that say whose rules a command is about. */
export function withOwner(command: Command): Command {
  return command
    .option('--user <name>', "user name; the installation's owner when left out")
    .option('--for-project <path>', 'the rules of a project instead of those of a user');
}

/** Adds a command about one rule, which is looked up before `work`. */
export function addRuleCommand(
  notifications: Command,
  terminal: Terminal,
  { verb, description }: { readonly verb: string; readonly description: string },
  work: (services: Services, rule: NotificationRuleRow, options: CommonOptions) => Promise<void>,
): void {
  withOwner(dataCommand(notifications, verb, description).argument('<name>', 'name of the rule')).action(
    async (name: string, options: CommonOptions & OwnerOptions) =>
      withServices(terminal, options, async (services) =>
        work(services, await ruleOf(services, name, options), options),
      ),
  );
}
