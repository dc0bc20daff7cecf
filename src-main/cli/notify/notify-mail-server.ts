import { InvalidArgumentError, type Command } from 'commander';
import { Value } from 'typebox/value';
import { MailServerInput } from '../../service/contract/notifications/notifications.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { mailServerShape, writeMailServer } from '../../service/notifications/settings/mail-server.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { readSecret } from '../support/read-secret.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly host?: string;
  readonly port?: number;
  readonly security: string;
  readonly username?: string;
  readonly passwordStdin?: true;
  readonly from?: string;
  readonly none?: true;
}

const defaultPorts: Readonly<Record<string, number>> = { tls: 465, starttls: 587, none: 25 };

/** `benchport notify mail-server`: shows or sets the server that mail is sent by. */
export function addNotifyMailServer(notifications: Command, terminal: Terminal): void {
  dataCommand(notifications, 'mail-server', 'Show, set or remove the server that mail is sent by')
    .option('--host <name>', 'name of the server')
    .option('--port <number>', '465 with tls, 587 with starttls, 25 with none', portOf)
    .option('--security <how>', 'tls, starttls or none', 'tls')
    .option('--username <name>', 'user name at the server')
    .option('--password-stdin', 'read the password from standard input')
    .option('--from <address>', 'address that mail comes from')
    .option('--none', 'send no mail any more')
    .addHelpText(
      'after',
      examples(
        'benchport notify mail-server --host mail.lab.example --from bench@lab.example --username bench --password-stdin < password',
      ),
    )
    .action(async (options: Options) => {
      await withServices(terminal, options, async (services) => {
        const isChange = options.none === true || options.host !== undefined;
        if (isChange) {
          await writeMailServer(services, options.none === true ? null : await inputOf(terminal, options));
          const detail = options.host ?? 'none';
          await services.audit.record({ ...atTheMachine, action: 'settings.mail', subject: 'settings', detail });
        }
        const server = await mailServerShape(services.settings);
        if (options.json) printJson(terminal, server);
        else if (server === null) printLine(terminal, 'No mail is sent.');
        else
          printLine(
            terminal,
            `Mail is sent by ${server.host}:${server.port} (${server.security}) from ${server.from}.`,
          );
      });
    });
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port)) throw new InvalidArgumentError('It is not a number.');
  return port;
}

async function inputOf(terminal: Terminal, options: Options): Promise<MailServerInput> {
  const { host, security, username = null, from, passwordStdin } = options;
  if (from === undefined) throw new CommandError('Give the address that mail comes from with --from.', 2);
  const password = passwordStdin === true ? await readSecret(terminal, 'password') : null;
  const input = { host, port: options.port ?? defaultPorts[security], security, username, from, password };
  if (Value.Check(MailServerInput, input)) return input;
  const [fault] = Value.Errors(MailServerInput, input);
  throw new CommandError(`The server cannot be: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`, 2);
}
