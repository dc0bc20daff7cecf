import type { Command } from 'commander';
import { createUser } from '../../service/accounts/users/create-user.ts';
import { ownerAccount } from '../../service/accounts/store/owner.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { readSecret } from '../support/read-secret.ts';
import { note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly email?: string;
  readonly name?: string;
  readonly admin?: true;
  readonly passwordStdin?: true;
}

/** `benchport user create NAME` */
export function addUserCreate(users: Command, terminal: Terminal): void {
  dataCommand(users, 'create', 'Add an account')
    .argument('<name>', 'user name')
    .option('--email <address>', 'e-mail address')
    .option('--name <full-name>', 'full name; the user name when left out')
    .option('--admin', 'create an administrator, who may do everything')
    .option(
      '--password-stdin',
      'read the password from standard input; without one, the user cannot sign in from a browser',
    )
    .addHelpText('after', examples('benchport user create alice --admin --password-stdin < password.txt'))
    .action(async (username: string, options: Options) => {
      const password = options.passwordStdin === true ? await readSecret(terminal, 'password') : null;
      await withServices(terminal, { ...options, create: true }, async (services) => {
        const input = {
          username,
          name: options.name ?? username,
          email: options.email ?? null,
          password,
          isAdmin: options.admin === true,
        };
        const user = await createUser(services, input, atTheMachine);
        if (options.json) printJson(terminal, { id: user.id, username: user.username });
        else printLine(terminal, `Created user ${user.username}.`);
        if (!(await ownerAccount(services.settings, services.users))) {
          note(terminal, 'There is no administrator yet: create one with "benchport user create NAME --admin".');
        }
      });
    });
}
