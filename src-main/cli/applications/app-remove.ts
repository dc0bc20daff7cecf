import type { Command } from 'commander';
import { removeApplication } from '../../service/oauth/applications/application-change.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, wholeNumber, type CommonOptions } from '../support/command.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport app remove ID` */
export function addAppRemove(apps: Command, terminal: Terminal): void {
  dataCommand(apps, 'remove', 'Remove an application: every access it was given ends at once')
    .argument('<id>', 'number of the application, from "benchport app list"', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(async (id: number, options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const application = await services.applications.byId(id);
        if (!application) throw new CommandError(`There is no application ${id}. "benchport app list" shows them all.`);
        await removeApplication(services, application, atTheMachine);
        if (options.json) printJson(terminal, { id, removed: true });
        else printLine(terminal, `Removed application ${id} (${application.name}).`);
      });
    });
}
