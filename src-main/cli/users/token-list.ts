import type { Command } from 'commander';
import { isActive, tokenShape } from '../../service/tokens/token-shape.ts';
import type { TokenRow } from '../../service/tokens/token-rows.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { printTable } from '../support/print-table.ts';
import { requireUser } from '../support/require-user.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly user?: string;
}

/** `benchport token list` */
export function addTokenList(tokens: Command, terminal: Terminal): void {
  dataCommand(tokens, 'list', 'Show tokens, newest first')
    .option('--user <name>', 'only those of one user')
    .action(async (options: Options) => {
      await withServices(terminal, options, async (services) => {
        const rows =
          options.user === undefined
            ? await services.tokens.all()
            : await services.tokens.ofUser((await requireUser(services, options.user)).id);
        const names = new Map((await services.users.all()).map((user) => [user.id, user.username]));
        const now = Date.now();
        if (options.json)
          return printJson(
            terminal,
            rows.map((row) => ({ ...tokenShape(row, now), user: names.get(row.user_id) ?? null })),
          );
        return printTable(
          terminal,
          ['ID', 'USER', 'NAME', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED'],
          rows.map((row) => [
            row.id,
            names.get(row.user_id) ?? null,
            row.name,
            row.scopes,
            stateOf(row, now),
            tokenShape(row, now).expires_at,
            formatTime(row.last_used_at),
          ]),
        );
      });
    });
}

function stateOf(row: TokenRow, now: number): string {
  if (row.revoked_at !== null) return 'revoked';
  return isActive(row, now) ? 'active' : 'expired';
}
