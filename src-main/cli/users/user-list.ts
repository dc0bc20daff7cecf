import type { Command } from 'commander';
import { isoTime } from '../../service/common/iso-time.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { printTable } from '../support/print-table.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport user list` */
export function addUserList(users: Command, terminal: Terminal): void {
  dataCommand(users, 'list', 'Show all accounts').action(async (options: CommonOptions) => {
    await withServices(terminal, options, async (services) => {
      const rows = await services.users.all();
      const twoFactors = await services.secondFactors.enabledUsers();
      if (options.json) {
        const shown = rows.map((user) => ({
          id: user.id,
          username: user.username,
          name: user.name,
          email: user.email,
          state: user.state,
          is_admin: user.is_admin === 1,
          two_factor_enabled: twoFactors.has(user.id),
          created_at: isoTime(user.created_at),
        }));
        return printJson(terminal, shown);
      }
      return printTable(
        terminal,
        ['USER', 'NAME', 'STATE', 'ROLE', 'TWO-FACTOR', 'CREATED'],
        rows.map((user) => [
          user.username,
          user.name,
          user.state,
          user.is_admin === 1 ? 'administrator' : 'user',
          twoFactors.has(user.id) ? 'on' : 'off',
          formatTime(user.created_at),
        ]),
      );
    });
  });
}
