import type { Command } from 'commander';
import { removeRule } from '../../service/capture/rules/change-rules.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { requireCaptureRule } from './require-capture-rule.ts';
import { withCaptures } from './with-captures.ts';

/** `benchport capture remove NAME` */
export function addCaptureRemove(captures: Command, terminal: Terminal): void {
  dataCommand(captures, 'remove', 'Stop watching a folder and forget its runs; measurements and files stay')
    .argument('<name>', 'name of the rule')
    .action(async (name: string, options: CommonOptions) => {
      await withCaptures(terminal, options, async (services) => {
        const rule = await requireCaptureRule(services, name);
        await removeRule(services, rule, atTheMachine);
        const { name: known, folder } = rule.settings;
        if (options.json) printJson(terminal, { id: rule.id, name: known, removed: true });
        else printLine(terminal, `Removed ${known}; its measurements and the files in ${folder} stay.`);
      });
    });
}
