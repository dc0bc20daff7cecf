import type { Command } from 'commander';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printTable } from '../support/print-table.ts';
import { note, printJson, type Terminal } from '../support/terminal.ts';
import { ruleShapes } from './rule-shapes.ts';
import { signText } from './sign-text.ts';
import { withCaptures } from './with-captures.ts';

/** `benchport capture list` */
export function addCaptureList(captures: Command, terminal: Terminal): void {
  dataCommand(captures, 'list', 'Show the watched folders, and how many runs of each wait or need you').action(
    async (options: CommonOptions) => {
      await withCaptures(terminal, options, async (services) => {
        const rules = await ruleShapes(services, await services.captureRules.all());
        if (options.json) return printJson(terminal, rules);
        printTable(
          terminal,
          ['NAME', 'STATE', 'FOLDER', 'WAITS FOR', 'NEEDS YOU', 'WAITING', 'REGISTERED'],
          rules.map((rule) => [
            rule.name,
            rule.state,
            rule.folder,
            signText(rule),
            rule.counts.needs_you,
            rule.counts.waiting,
            rule.counts.done,
          ]),
        );
        for (const { name, message } of rules) if (message !== null) note(terminal, `${name}: ${message}`);
        return undefined;
      });
    },
  );
}
