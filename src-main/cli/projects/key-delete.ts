import type { Command } from 'commander';
import { removeClientKey } from '../../service/errors/settings/client-keys-change.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, wholeNumber, type CommonOptions } from '../support/command.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport key delete ID` */
export function addKeyDelete(keys: Command, terminal: Terminal): void {
  dataCommand(keys, 'delete', 'Delete a client key: programs that use it are refused from then on')
    .argument('<id>', 'number of the key, from "benchport key list"', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(async (id: number, options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const key = await services.clientKeys.byId(id);
        const project = key && (await services.projects.byId(key.project_id));
        if (!project)
          throw new CommandError(
            `There is no client key ${id}. "benchport key list --project PATH" shows the keys of a project.`,
          );
        await removeClientKey(services, project, id, atTheMachine);
        if (options.json) printJson(terminal, { id, deleted: true });
        else printLine(terminal, `Deleted client key ${id} of ${project.path}.`);
      });
    });
}
