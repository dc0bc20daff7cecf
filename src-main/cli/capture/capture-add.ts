import { Option, type Command } from 'commander';
import { captureChoices } from '../../service/capture/naming/presets.ts';
import { createRule } from '../../service/capture/rules/change-rules.ts';
import type { CaptureRuleInput, CaptureUnit } from '../../service/contract/capture/rules.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { parseCompletion, parseMinutes } from './completion.ts';
import { parseField, ruleInputOf, type RuleOptions } from './rule-input.ts';
import { ruleShapes } from './rule-shapes.ts';
import { signText } from './sign-text.ts';
import { withCaptures } from './with-captures.ts';

const units: readonly CaptureUnit[] = ['folder', 'file', 'files'];

/** `benchport capture add NAME --folder DIR` */
export function addCaptureAdd(captures: Command, terminal: Terminal): void {
  const command = dataCommand(captures, 'add', 'Watch a folder, and register each run in it when it is complete')
    .argument('<name>', 'name of the rule')
    .requiredOption('--folder <dir>', 'folder that the instrument writes into');
  registrationOptions(signOptions(runOptions(command)))
    .addHelpText(
      'after',
      examples(
        'benchport capture add novaseq --folder /data/novaseq --preset illumina --owner alice',
        'benchport capture add scope --folder /data/scope --layout {user}/{name} --complete quiet:15 --owner {user}',
        'benchport capture add bench-3 --folder /data/bench-3 --complete marker:done.txt --settle 0.5 --push facility',
      ),
    )
    .action(async (name: string, options: CommonOptions & RuleOptions) => {
      await withCaptures(terminal, options, async (services) => {
        const rule = await createRule(services, await ruleInputOf(services, name, options), atTheMachine);
        if (options.json) printJson(terminal, (await ruleShapes(services, [rule]))[0]);
        else printLine(terminal, outcomeOf(rule.settings));
      });
    });
}

function outcomeOf(rule: CaptureRuleInput): string {
  const which = rule.existing ? 'each run' : 'each new run';
  return `${rule.name}: ${which} in ${rule.folder} is registered after ${signText(rule)}; the running service watches it.`;
}

function runOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--preset <instrument>', 'settings of an instrument, which other options override')
        .choices(captureChoices.presets.map(({ preset }) => preset))
        .default('generic'),
    )
    .addOption(
      new Option('--run <unit>', 'what a run is: a folder, a file, or the files that share a name').choices(units),
    )
    .option('--layout <layout>', 'levels of folders below the watched one, such as {user}/{name}; the last is the run')
    .option('--pattern <pattern>', 'names of runs that are files: *.raw, or {name}.wiff* for files that share a name')
    .option('--ignore <pattern>', 'files, or folders with / at the end, to leave out; repeatable', collect(String))
    .option('--existing', 'register what is there already too');
}

function signOptions(command: Command): Command {
  return command
    .option(
      '--complete <sign>',
      'when a run is complete: marker:GLOB when that file is there (repeatable, for all of them), moved-in when it was moved there, quiet:MINUTES when nothing has changed for so long',
      collect(parseCompletion),
    )
    .option('--settle <minutes>', 'time without a change after the markers; it may have a fraction', parseMinutes)
    .option('--unfinished <glob>', 'a file that is there as long as a run is written; repeatable', collect(String));
}

function registrationOptions(command: Command): Command {
  return command
    .option('--id <template>', 'id of each measurement; knows {name}, {parent}, {date}, {rule} and fields', '{name}')
    .option('--title <template>', 'title of each measurement', '{name}')
    .option(
      '--field <name=file:key>',
      'field for templates, read from a small text, JSON or XML file of the run; repeatable',
      collect(parseField),
    )
    .option('--owner <user>', "user name of the owner, or {user}; the installation's owner when left out")
    .option('--project <path>', 'project whose members may read each run')
    .option('--reader <user>', 'user who may read each run; repeatable', collect(String))
    .option('--everyone', 'everyone with an account may read each run')
    .option('--notify <user>', 'user who is told of each run; repeatable', collect(String))
    .option('--copy', 'copy the files into the library')
    .option('--push <server>', 'keep a verified copy on a server in the list: its name or base URL')
    .option('--push-project <path>', 'project there whose members may read it');
}

/** Makes a parser for an option that may be given several times. */
function collect<Value>(parse: (text: string) => Value): (text: string, before?: readonly Value[]) => readonly Value[] {
  return (text, before = []) => [...before, parse(text)];
}
