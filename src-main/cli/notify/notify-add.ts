import type { Command } from 'commander';
import { Value } from 'typebox/value';
import {
  NotificationRuleInput,
  type NotificationRuleInput as Input,
} from '../../service/contract/notifications/notifications.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { kindsOfProjects } from '../../service/notifications/check-rule.ts';
import { createRule } from '../../service/notifications/change-rules.ts';
import type { Services } from '../../service/services.ts';
import { requireProject } from '../projects/require-project.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { ownerOfRules, type OwnerOptions } from './rule-of.ts';

interface Options extends CommonOptions, OwnerOptions {
  readonly on: string;
  readonly mail?: string;
  readonly webhook?: string;
  readonly everybody?: true;
  readonly project?: string;
  readonly digest?: string;
  readonly quiet?: string;
}

const kinds = NotificationRuleInput.properties.kinds.items.enum;

/** `benchport notify add NAME`: prints the secret of a webhook, which is shown once. */
export function addNotifyAdd(notifications: Command, terminal: Terminal): void {
  dataCommand(notifications, 'add', 'Tell a user or a project of something, by mail or webhook')
    .argument('<name>', 'name of the rule')
    .requiredOption('--on <kinds>', `what to tell of, separated by commas: ${kinds.join(', ')}, or all`)
    .option('--user <name>', "user name; the installation's owner when left out")
    .option('--for-project <path>', 'a rule that belongs to a project, whoever its members are')
    .option('--mail <address>', 'send mail to this address')
    .option('--webhook <url>', 'send signed messages (Standard Webhooks) to this address')
    .option('--everybody', 'of the measurements and errors of everybody, for an administrator')
    .option('--project <path>', 'only errors of this project')
    .option('--digest <how>', 'hourly or daily: one message for all that has happened')
    .option('--quiet <from-until>', 'hours without messages, such as 22-7')
    .addHelpText(
      'after',
      examples(
        'benchport notify add night --on run-stuck,degraded --mail alice@lab.example',
        'benchport notify add storms --for-project lab --on error-new,error-storm --webhook https://chat.lab.example/hooks/8',
        'benchport notify add errors --user bob --on error-new --webhook https://chat.lab.example/hooks/7',
      ),
    )
    .action(async (name: string, options: Options) => {
      await withServices(terminal, options, async (services) => {
        const { owner, name: whose } = await ownerOfRules(services, options);
        const input = await inputOf(services, name, options);
        const { rule, secret } = await createRule(services, owner, input, atTheMachine);
        if (options.json) printJson(terminal, { id: rule.id, ...rule.settings, secret });
        else if (secret === null) printLine(terminal, `${whose} is told by ${name}: mail to ${input.to}.`);
        else {
          printLine(terminal, secret);
          note(terminal, 'This secret verifies the messages. It is shown once.');
        }
      });
    });
}

async function inputOf(services: Services, name: string, options: Options): Promise<Input> {
  const { mail, webhook, digest = 'none', project } = options;
  if ((mail === undefined) === (webhook === undefined)) throw new CommandError('Give --mail or --webhook.', 2);
  const every = options.forProject === undefined ? kinds : kindsOfProjects;
  const [from = null, until = null] = quietOf(options.quiet);
  const input = {
    name,
    kinds: options.on === 'all' ? [...every] : options.on.split(',').map((kind) => kind.trim()),
    everybody: options.everybody === true,
    project_id: project === undefined ? null : (await requireProject(services, project)).id,
    channel: mail === undefined ? 'webhook' : 'mail',
    to: mail ?? webhook ?? '',
    digest,
    quiet_from: from,
    quiet_until: until,
    paused: false,
  };
  if (Value.Check(NotificationRuleInput, input)) return input;
  const [fault] = Value.Errors(NotificationRuleInput, input);
  throw new CommandError(`The rule cannot be: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`, 2);
}

function quietOf(text: string | undefined): readonly number[] {
  if (text === undefined) return [];
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (from === undefined || until === undefined)
    throw new CommandError(`${text} is no range of hours. Give one such as 22-7.`, 2);
  return [Number(from), Number(until)];
}
