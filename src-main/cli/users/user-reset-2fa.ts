import type { Command } from 'commander';
import { resetSecondFactors } from '../../service/accounts/users/reset-second-factors.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { requireUser } from '../support/require-user.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport user reset-2fa NAME` */
export function addUserReset2fa(users: Command, terminal: Terminal): void {
  dataCommand(
    users,
    'reset-2fa',
    'Take authenticator, security keys and recovery codes away from a user who has lost them',
  )
    .argument('<name>', 'user name')
    .action(async (username: string, options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const user = await requireUser(services, username);
        const reset = await resetSecondFactors(services, user, atTheMachine);
        if (options.json) printJson(terminal, { id: user.id, username: user.username, reset });
        else
          printLine(
            terminal,
            reset
              ? `User ${user.username} now signs in with the password alone.`
              : `User ${user.username} had no second factor.`,
          );
      });
    });
}
