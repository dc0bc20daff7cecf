import { InvalidArgumentError, type Command } from 'commander';
import path from 'node:path';
import { isMeasurementId } from '../../../src-shared/measurement-names.ts';
import { runShape } from '../../service/capture/capture-shape.ts';
import { actOnRuns } from '../../service/capture/rules/act-on-runs.ts';
import type { CaptureRuleRow, CaptureRunRow } from '../../service/capture/store/capture-rows.ts';
import type { CaptureRunAction } from '../../service/contract/capture/runs.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import type { Services } from '../../service/services.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { registrationCanceller } from './cancel-registration.ts';
import { requireCaptureRule } from './require-capture-rule.ts';
import { withCaptures } from './with-captures.ts';

interface Options extends CommonOptions {
  readonly id?: string;
  readonly leaveOutUnsupported?: true;
}

interface Action {
  readonly name: CaptureRunAction;
  readonly description: string;
  readonly done: string;
  /** Whether it leads to a registration. */
  readonly registers: boolean;
}

const actions: readonly Action[] = [
  {
    name: 'skip',
    description: 'Leave a run out; its registration is cancelled if it has begun',
    done: 'is skipped.',
    registers: false,
  },
  {
    name: 'retry',
    description: 'Try to register a run again; one that changed after it was registered, as another measurement',
    done: 'is looked at again, and registered when it is complete.',
    registers: true,
  },
  {
    name: 'keep',
    description: 'Keep what was registered of a run that changed afterwards',
    done: 'stays as it was registered.',
    registers: false,
  },
  {
    name: 'register',
    description: 'Register a run without waiting for its sign',
    done: 'is registered with the next look, without its sign.',
    registers: true,
  },
];

/** `benchport capture skip|retry|keep|register NAME RUN` */
export function addCaptureAct(captures: Command, terminal: Terminal): void {
  for (const action of actions) {
    const command = dataCommand(captures, action.name, action.description)
      .argument('<name>', 'name of the rule')
      .argument('<run>', 'name of the run, as "capture runs" shows it');
    if (action.registers)
      command
        .option('--id <id>', 'id of the measurement, instead of the one that the rule gives', measurementId)
        .option('--leave-out-unsupported', 'leave out files whose names cannot be registered, and register the rest')
        .addHelpText('after', examples(`benchport capture ${action.name} novaseq 260301_A01 --id run-17`));
    command.action(async (name: string, run: string, options: Options) => {
      await withCaptures(terminal, options, async (services) => {
        const rule = await requireCaptureRule(services, name);
        const row = await act(services, rule, await requireRun(services, rule, run), action.name, options);
        if (options.json) printJson(terminal, runShape({ ...row, rule_name: rule.settings.name }));
        else printLine(terminal, `${row.name} ${action.done}`);
      });
    });
  }
}

function measurementId(text: string): string {
  if (!isMeasurementId(text))
    throw new InvalidArgumentError('An id has up to 128 letters, digits, dots, - and _, and no dot at its beginning.');
  return text;
}

/** @throws CommandError that says where to find the names. */
async function requireRun(
  { captureRuns }: Pick<Services, 'captureRuns'>,
  rule: CaptureRuleRow,
  text: string,
): Promise<CaptureRunRow> {
  // Shells complete the names of folders with a slash.
  const name = text.split(path.sep).join('/').replace(/\/+$/, '');
  const [run] = await captureRuns.named(rule.id, [name]);
  if (run) return run;
  const { name: ruleName } = rule.settings;
  throw new CommandError(
    `${ruleName} knows no run ${name}. "benchport capture runs" with the name of the rule shows them.`,
  );
}

/** @throws CommandError when the state of the run does not allow it. */
async function act(
  services: Services,
  { settings }: CaptureRuleRow,
  run: CaptureRunRow,
  action: CaptureRunAction,
  { id, leaveOutUnsupported }: Options,
): Promise<CaptureRunRow> {
  const deps = { ...services, jobRunner: registrationCanceller(services) };
  const request = { action, ids: [run.id], leave_out: leaveOutUnsupported === true };
  const changed = await actOnRuns(deps, id === undefined ? request : { ...request, measurement_id: id }, atTheMachine);
  const now = await services.captureRuns.byId(run.id);
  if (!now) throw new CommandError(`${settings.name} was removed meanwhile.`);
  if (changed === 0)
    throw new CommandError(`${run.name} stays as it is, because "${action}" is not for a run that is ${now.state}.`);
  return now;
}
