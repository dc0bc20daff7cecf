import type { Command } from 'commander';
import { tryRule } from '../../service/capture/rules/try-rule.ts';
import { countOf } from '../../service/common/count-of.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import type { CaptureRuleInput } from '../../service/contract/capture/rules.ts';
import type { CaptureTrial } from '../../service/contract/capture/runs.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printTable } from '../support/print-table.ts';
import { note, printJson, type Terminal } from '../support/terminal.ts';
import { requireCaptureRule } from './require-capture-rule.ts';
import { signText } from './sign-text.ts';
import { withCaptures } from './with-captures.ts';

type Trial = CaptureTrial['runs'][number];

/** `benchport capture try NAME` */
export function addCaptureTry(captures: Command, terminal: Terminal): void {
  dataCommand(captures, 'try', 'Show what a rule finds in its folder now, and what it would register; changes nothing')
    .argument('<name>', 'name of the rule')
    .action(async (name: string, options: CommonOptions) => {
      await withCaptures(terminal, options, async (services) => {
        const rule = await requireCaptureRule(services, name);
        const trial = await tryRule(services, rule.settings, rule.id);
        if (options.json) return printJson(terminal, trial);
        printTable(
          terminal,
          ['RUN', 'ID', 'FILES', 'SIZE', 'COMPLETE'],
          trial.runs.map((run) => [
            run.name,
            run.measurement_id,
            run.file_count,
            formatBytes(run.total_bytes),
            completeText(rule.settings, run),
          ]),
        );
        if (trial.message !== null) note(terminal, trial.message);
        else if (trial.total === 0) note(terminal, 'There are no such runs in the folder now.');
        const others = trial.total - trial.runs.length;
        if (others > 0) note(terminal, `${countOf(others, 'more run')} in the folder.`);
        return undefined;
      });
    });
}

const decided: readonly Trial['known_as'][] = ['hashing', 'registered', 'pushed', 'changed-after', 'skipped'];

function completeText(rule: CaptureRuleInput, run: Trial): string {
  if (run.known_as !== null && decided.includes(run.known_as)) return `it is ${run.known_as}`;
  if (run.message !== null) return run.message;
  return rule.minutes === 0 ? 'yes' : `after ${signText({ ...rule, sign: 'quiet' })}`;
}
