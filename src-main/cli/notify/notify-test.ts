import type { Command } from 'commander';
import { storedBaseUrl } from '../../service/base-url.ts';
import { testRule } from '../../service/notifications/test-rule.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { ruleOf, type OwnerOptions } from './rule-of.ts';

type Options = CommonOptions & OwnerOptions;

/** `benchport notify test NAME`: exit status 1 when the message was not taken. */
export function addNotifyTest(notifications: Command, terminal: Terminal): void {
  dataCommand(notifications, 'test', 'Send a test message by a rule, and show the dialogue with a server for mail')
    .argument('<name>', 'name of the rule')
    .option('--user <name>', "user name; the installation's owner when left out")
    .option('--for-project <path>', 'the rules of a project instead of those of a user')
    .action(async (name: string, options: Options) => {
      await withServices(terminal, options, async (services) => {
        const rule = await ruleOf(services, name, options);
        const baseUrl = await storedBaseUrl(services.settings);
        const result = await testRule({ ...services, baseUrl: () => baseUrl }, rule);
        if (options.json) printJson(terminal, result);
        else for (const line of result.dialogue) note(terminal, line);
        if (!result.sent) throw new CommandError(result.message);
        if (!options.json) printLine(terminal, result.message);
      });
    });
}
