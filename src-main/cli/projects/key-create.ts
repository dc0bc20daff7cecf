import type { Command } from 'commander';
import { clientKeyShape } from '../../service/errors/settings/client-key-shape.ts';
import { createClientKey } from '../../service/errors/settings/client-keys-change.ts';
import { storedBaseUrl } from '../../service/base-url.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { requireProject } from './require-project.ts';
import { note, printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/**
 * `benchport key create`: prints the key as a JSON document. Its DSN uses the base URL of the
 * service's last run.
 */
export function addKeyCreate(keys: Command, terminal: Terminal): void {
  dataCommand(keys, 'create', 'Create a client key for a project and print it with its DSN')
    .requiredOption('--project <path>', 'path of the project')
    .addHelpText('after', examples('benchport key create --project lab/qmr'))
    .action(async (options: CommonOptions & { readonly project: string }) => {
      await withServices(terminal, options, async (services) => {
        const project = await requireProject(services, options.project);
        const row = await createClientKey(services, project, atTheMachine);
        const { id, active, public_key, sentry_dsn, sentry_dsn_deprecated } = clientKeyShape(
          row,
          await storedBaseUrl(services.settings),
          services.secrets,
        );
        printJson(terminal, { id, active, public_key, sentry_dsn, sentry_dsn_deprecated });
        const taking = (await services.clientKeys.byPublicKey(public_key))?.projectActive === true;
        if (!taking) {
          note(
            terminal,
            `No events are accepted with it yet: select the integrated backend under Settings > Monitor > Error Tracking of ${project.path}.`,
          );
        }
      });
    });
}
