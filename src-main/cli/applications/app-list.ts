import type { Command } from 'commander';
import { applicationShape } from '../../service/oauth/applications/application-shape.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printTable } from '../support/print-table.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport app list` */
export function addAppList(apps: Command, terminal: Terminal): void {
  dataCommand(apps, 'list', 'Show registered applications, newest first').action(async (options: CommonOptions) => {
    await withServices(terminal, options, async (services) => {
      const applications = await services.applications.all();
      const shown = await Promise.all(applications.map(async (application) => applicationShape(services, application)));
      if (options.json) return printJson(terminal, shown);
      return printTable(
        terminal,
        ['ID', 'NAME', 'OWNER', 'KIND', 'SCOPES', 'USERS', 'CLIENT ID'],
        shown.map((one) => [
          one.id,
          one.name,
          one.owner.username,
          `${one.confidential ? 'confidential' : 'public'}${one.trusted ? ', trusted' : ''}${one.device_grant ? ', device' : ''}${one.legacy_implicit ? ', implicit' : ''}`,
          one.scopes.join(' '),
          one.authorizations,
          one.client_id,
        ]),
      );
    });
  });
}
