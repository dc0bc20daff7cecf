import type { Command } from 'commander';
import { scopes } from '../../service/contract/scopes.ts';
import { createToken } from '../../service/tokens/create-token.ts';
import { maxDays } from '../../service/tokens/expiry-day.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { tokenShape } from '../../service/tokens/token-shape.ts';
import { dataCommand, examples, listed, type CommonOptions } from '../support/command.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { requireUser } from '../support/require-user.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly user: string;
  readonly name: string;
  readonly scopes: string;
  readonly expires?: string;
}

/** `benchport token create`: prints only the token, which is not shown again. */
export function addTokenCreate(tokens: Command, terminal: Terminal): void {
  dataCommand(tokens, 'create', 'Create a token and print it; it cannot be shown again')
    .requiredOption('--user <name>', 'whose token it is')
    .requiredOption('--name <label>', 'what it is for')
    .requiredOption('--scopes <list>', `separated by commas: ${scopes.join(', ')}`)
    .option('--expires <day>', `YYYY-MM-DD; it ends as that day begins, UTC; ${maxDays} days from today when left out`)
    .addHelpText(
      'after',
      examples('benchport token create --user bob --name bench-3 --scopes read_measurement > token.txt'),
    )
    .action(async (options: Options) => {
      await withServices(terminal, options, async (services) => {
        const user = await requireUser(services, options.user);
        const input = {
          userId: user.id,
          name: options.name,
          description: '',
          scopes: listed(options.scopes),
          expiresAt: options.expires ?? null,
        };
        const { row, token } = await createToken(services, input, atTheMachine);
        if (options.json) printJson(terminal, { ...tokenShape(row, Date.now()), token });
        else printLine(terminal, token);
      });
    });
}
