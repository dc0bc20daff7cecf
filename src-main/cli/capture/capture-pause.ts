import type { Command } from 'commander';
import { pauseRule } from '../../service/capture/rules/change-rules.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { requireCaptureRule } from './require-capture-rule.ts';
import { ruleShapes } from './rule-shapes.ts';
import { withCaptures } from './with-captures.ts';

/** `benchport capture pause NAME` and `benchport capture resume NAME` */
export function addCapturePause(captures: Command, terminal: Terminal): void {
  const both = [
    ['pause', true, 'Stop looking at a folder for now', 'is paused: its folder is not looked at'],
    ['resume', false, 'Look at the folder of a paused rule again', 'goes on: the running service watches its folder'],
  ] as const;
  for (const [command, isPaused, description, done] of both) {
    dataCommand(captures, command, description)
      .argument('<name>', 'name of the rule')
      .action(async (name: string, options: CommonOptions) => {
        await withCaptures(terminal, options, async (services) => {
          const rule = await pauseRule(services, await requireCaptureRule(services, name), isPaused, atTheMachine);
          if (options.json) printJson(terminal, (await ruleShapes(services, [rule]))[0]);
          else printLine(terminal, `${rule.settings.name} ${done}.`);
        });
      });
  }
}
