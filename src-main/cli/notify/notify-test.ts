import type { Command } from 'commander';
import { storedBaseUrl } from '../../service/base-url.ts';
import { testRule } from '../../service/notifications/test-rule.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { addRuleCommand } from './rule-command.ts';

/** `benchport notify test NAME`: exit status 1 when the message was not taken. */
export function addNotifyTest(notifications: Command, terminal: Terminal): void {
  const description = 'Send a test message by a rule, and show the dialogue with a server for mail';
  addRuleCommand(notifications, terminal, { verb: 'test', description }, async (services, rule, options) => {
    const baseUrl = await storedBaseUrl(services.settings);
    const result = await testRule({ ...services, baseUrl: () => baseUrl }, rule);
    if (options.json) printJson(terminal, result);
    else for (const line of result.dialogue) note(terminal, line);
    if (!result.sent) throw new CommandError(result.message);
    if (!options.json) printLine(terminal, result.message);
  });
}
