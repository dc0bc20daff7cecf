import type { Command } from 'commander';
import { createProject } from '../../service/projects/create-project.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { requireUser } from '../support/require-user.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport project create PATH` */
export function addProjectCreate(projects: Command, terminal: Terminal): void {
  dataCommand(projects, 'create', 'Add a project')
    .argument('<path>', 'such as lab/qmr')
    .option('--name <name>', 'name to show; the last part of the path when left out')
    .option('--owner <user>', 'user name of its first member')
    .addHelpText('after', examples('benchport project create lab/qmr --owner alice'))
    .action(async (path: string, options: CommonOptions & { readonly name?: string; readonly owner?: string }) => {
      await withServices(terminal, options, async (services) => {
        const ownerId = options.owner === undefined ? null : (await requireUser(services, options.owner)).id;
        const project = await createProject(services, { path, name: options.name ?? null, ownerId }, atTheMachine);
        if (options.json) printJson(terminal, { id: project.id, path: project.path, name: project.name });
        else printLine(terminal, `Created project ${project.path}.`);
      });
    });
}
