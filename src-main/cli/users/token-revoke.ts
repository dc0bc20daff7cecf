import type { Command } from 'commander';
import { atTheMachine } from '../../service/http/principal.ts';
import { revokeToken } from '../../service/tokens/revoke-token.ts';
import { dataCommand, wholeNumber, type CommonOptions } from '../support/command.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport token revoke ID` */
export function addTokenRevoke(tokens: Command, terminal: Terminal): void {
  dataCommand(tokens, 'revoke', 'End a token: from the next request on, and for running transfers')
    .argument('<id>', 'number of the token, from "benchport token list"', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(async (id: number, options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const row = await services.tokens.byId(id);
        if (!row) throw new CommandError(`There is no token ${id}. "benchport token list" shows them all.`);
        await revokeToken(services, row, atTheMachine);
        if (options.json) printJson(terminal, { id, revoked: true });
        else printLine(terminal, `Revoked token ${id} (${row.name}).`);
      });
    });
}
