import type { Command } from 'commander';
import { clientKeyShape } from '../../service/errors/settings/client-key-shape.ts';
import { storedBaseUrl } from '../../service/base-url.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { printTable } from '../support/print-table.ts';
import { requireProject } from './require-project.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

const maxKeys = 10_000;

/** `benchport key list` */
export function addKeyList(keys: Command, terminal: Terminal): void {
  dataCommand(keys, 'list', 'Show the client keys of a project, the oldest first')
    .requiredOption('--project <path>', 'path of the project')
    .action(async (options: CommonOptions & { readonly project: string }) => {
      await withServices(terminal, options, async (services) => {
        const project = await requireProject(services, options.project);
        const { rows } = await services.clientKeys.page(project.id, maxKeys, 0);
        const baseUrl = await storedBaseUrl(services.settings);
        const shapes = rows.map((row) => clientKeyShape(row, baseUrl, services.secrets));
        if (options.json) return printJson(terminal, shapes);
        return printTable(
          terminal,
          ['ID', 'EVENTS', 'CREATED', 'LAST USED', 'DSN'],
          rows.map((row, place) => [
            row.id,
            row.events,
            formatTime(row.created_at),
            formatTime(row.last_used_at),
            shapes[place]?.sentry_dsn ?? null,
          ]),
        );
      });
    });
}
