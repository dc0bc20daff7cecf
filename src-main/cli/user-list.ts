import type { Command } from 'commander';
import { isoTime } from '../service/iso-time.ts';
import { dataCommand, type CommonOptions } from './command.ts';
import { formatTime } from './format.ts';
import { printTable } from './print-table.ts';
import { printJson, type Terminal } from './terminal.ts';
import { withServices } from './with-services.ts';

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
