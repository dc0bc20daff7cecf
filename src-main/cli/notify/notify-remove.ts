import type { Command } from 'commander';
import { atTheMachine } from '../../service/http/principal.ts';
import { removeRule } from '../../service/notifications/change-rules.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { ruleOf, type OwnerOptions } from './rule-of.ts';

type Options = CommonOptions & OwnerOptions;

/** `benchport notify remove NAME` */
export function addNotifyRemove(notifications: Command, terminal: Terminal): void {
  dataCommand(notifications, 'remove', 'Remove a rule, with what it was to send')
    .argument('<name>', 'name of the rule')
    .option('--user <name>', "user name; the installation's owner when left out")
    .option('--for-project <path>', 'the rules of a project instead of those of a user')
    .action(async (name: string, options: Options) => {
      await withServices(terminal, options, async (services) => {
        const rule = await ruleOf(services, name, options);
        await removeRule(services, rule, atTheMachine);
        if (options.json) printJson(terminal, { id: rule.id, name: rule.settings.name });
        else printLine(terminal, `${rule.settings.name} is removed.`);
      });
    });
}
