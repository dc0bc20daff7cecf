import type { Command } from 'commander';
import { atTheMachine } from '../../service/http/principal.ts';
import { removeRule } from '../../service/notifications/change-rules.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { addRuleCommand } from './rule-command.ts';

/** `benchport notify remove NAME` */
export function addNotifyRemove(notifications: Command, terminal: Terminal): void {
  const command = { verb: 'remove', description: 'Remove a rule, with what it was to send' };
  addRuleCommand(notifications, terminal, command, async (services, rule, options) => {
    await removeRule(services, rule, atTheMachine);
    if (options.json) printJson(terminal, { id: rule.id, name: rule.settings.name });
    else printLine(terminal, `${rule.settings.name} is removed.`);
  });
}
