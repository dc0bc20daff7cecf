import type { Command } from 'commander';
import { setUserState } from '../../service/accounts/users/set-user-state.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { requireUser } from '../support/require-user.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport user block NAME` and `benchport user unblock NAME` */
export function addUserBlock(users: Command, terminal: Terminal): void {
  const both = [
    ['block', 'blocked', 'Stop an account: its tokens, sessions and running transfers end at once', 'is blocked'],
    ['unblock', 'active', 'Let a blocked or locked account in again', 'may sign in again'],
  ] as const;
  for (const [name, state, description, done] of both) {
    dataCommand(users, name, description)
      .argument('<name>', 'user name')
      .action(async (username: string, options: CommonOptions) => {
        await withServices(terminal, options, async (services) => {
          const user = await requireUser(services, username);
          await setUserState(services, user, state, atTheMachine);
          if (options.json) printJson(terminal, { id: user.id, username: user.username, state });
          else printLine(terminal, `User ${user.username} ${done}.`);
        });
      });
  }
}
