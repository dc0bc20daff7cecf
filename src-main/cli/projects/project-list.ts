import type { Command } from 'commander';
import { isoTime } from '../../service/common/iso-time.ts';
import type { ProjectOverview } from '../../service/projects/projects-store.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { printTable } from '../support/print-table.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

// The command line acts as no particular user and sees all projects.
const nobody = 0;

/** `benchport project list` */
export function addProjectList(projects: Command, terminal: Terminal): void {
  dataCommand(projects, 'list', 'Show all projects by path, with their members').action(
    async (options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const rows = await services.projects.overviews(nobody, true);
        const shown = await Promise.all(
          rows.map(async (row) => ({ row, members: await services.members.all(row.id) })),
        );
        if (options.json) {
          return printJson(
            terminal,
            shown.map(({ row, members }) => ({
              id: row.id,
              path: row.path,
              name: row.name,
              monitor: row.monitor === 1,
              error_tracking: {
                active: row.active === 1,
                integrated: row.integrated === 1,
                unresolved: row.unresolved,
              },
              members: members.map(({ username, role }) => ({ username, role })),
              created_at: isoTime(row.created_at),
            })),
          );
        }
        return printTable(
          terminal,
          ['PATH', 'NAME', 'ERROR TRACKING', 'UNRESOLVED', 'CREATED', 'MEMBERS'],
          shown.map(({ row, members }) => [
            row.path,
            row.name,
            backendOf(row),
            row.unresolved,
            formatTime(row.created_at),
            members.length === 0 ? null : members.map(({ username, role }) => `${username} (${role})`).join(', '),
          ]),
        );
      });
    },
  );
}

function backendOf({ active, integrated }: ProjectOverview): string {
  if (active === 0) return 'off';
  return integrated === 1 ? 'integrated' : 'external';
}
