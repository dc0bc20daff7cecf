import type { Command } from 'commander';
import { ruleShape } from '../../service/notifications/notification-shape.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printTable } from '../support/print-table.ts';
import { note, printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { withOwner } from './rule-command.ts';
import { ownerOfRules, type OwnerOptions } from './rule-of.ts';

type Options = CommonOptions & OwnerOptions;

/** `benchport notify list` */
export function addNotifyList(notifications: Command, terminal: Terminal): void {
  withOwner(dataCommand(notifications, 'list', 'Show the rules of a user or project')).action(
    async (options: Options) => {
      await withServices(terminal, options, async (services) => {
        const { owner } = await ownerOfRules(services, options);
        const rows = await services.notificationRules.ofOwner(owner);
        const rules = await Promise.all(
          rows.map(async (rule) => ruleShape(rule, await services.deliveries.countWaiting(rule.id))),
        );
        if (options.json) return printJson(terminal, rules);
        printTable(
          terminal,
          ['NAME', 'TELLS OF', 'BY', 'TO', 'STATE', 'WAITING'],
          rules.map((rule) => [
            rule.name,
            rule.kinds.join(','),
            rule.channel,
            rule.to,
            rule.paused ? 'paused' : rule.failure === null ? 'ok' : 'failing',
            rule.waiting,
          ]),
        );
        for (const { name, failure } of rules) if (failure !== null) note(terminal, `${name}: ${failure}`);
        return undefined;
      });
    },
  );
}
