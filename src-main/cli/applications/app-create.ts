import type { Command } from 'commander';
import { applicationScopes } from '../../service/oauth/applications/application-check.ts';
import { registerApplication } from '../../service/oauth/applications/register-application.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, examples, listed, type CommonOptions } from '../support/command.ts';
import { requireUser } from '../support/require-user.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly owner: string;
  readonly name: string;
  readonly redirectUri?: readonly string[];
  readonly scopes: string;
  readonly public?: true;
  readonly device?: true;
  readonly trusted?: true;
  readonly legacyImplicit?: true;
}

/** `benchport app create`: prints the client id and the secret, which is not shown again. */
export function addAppCreate(apps: Command, terminal: Terminal): void {
  dataCommand(
    apps,
    'create',
    'Register an application and print its client id and secret; the secret cannot be shown again',
  )
    .requiredOption('--owner <name>', 'user name of the person responsible for it')
    .requiredOption('--name <name>', 'what its users see')
    .option(
      '--redirect-uri <uri...>',
      'full address that its users are sent back to; may be given several times; not needed with --device',
    )
    .requiredOption('--scopes <list>', `what it may ask for, separated by commas: ${applicationScopes.join(', ')}`)
    .option('--public', 'for a program that cannot keep a secret, such as one for the desktop or the browser')
    .option('--device', 'may sign in with a code that its user types into a browser, for a device without one')
    .option('--trusted', 'approved without asking its users')
    .option('--legacy-implicit', 'may use the implicit grant, for old programs that support nothing else')
    .addHelpText(
      'after',
      examples(
        'benchport app create --owner alice --name Notebook --redirect-uri https://notebook.lab.example/callback --scopes read_measurement',
      ),
    )
    .action(async (options: Options) => {
      await withServices(terminal, options, async (services) => {
        const owner = await requireUser(services, options.owner);
        const input = {
          ownerId: owner.id,
          name: options.name,
          redirectUris: options.redirectUri ?? [],
          scopes: listed(options.scopes),
          confidential: options.public !== true,
          trusted: options.trusted === true,
          legacyImplicit: options.legacyImplicit === true,
          deviceGrant: options.device === true,
        };
        const { application, secret } = await registerApplication(services, input, atTheMachine);
        printJson(terminal, { id: application.id, client_id: application.clientId, client_secret: secret });
      });
    });
}
