import { Option, type Command } from 'commander';
import { projectRoles, type ProjectRole } from '../../service/projects/projects-store.ts';
import { setMember } from '../../service/projects/change-member.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { requireProject } from './require-project.ts';
import { requireUser } from '../support/require-user.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport project member PATH` */
export function addProjectMember(projects: Command, terminal: Terminal): void {
  dataCommand(projects, 'member', 'Make a user a member, or change a role')
    .argument('<path>', 'path of the project')
    .requiredOption('--user <name>', 'user name of the member')
    .addOption(
      new Option(
        '--role <role>',
        'a reporter sees errors, a developer works on them, a maintainer changes settings and members, an owner removes the project',
      )
        .choices(projectRoles)
        .makeOptionMandatory(),
    )
    .addHelpText('after', examples('benchport project member lab/qmr --user bob --role developer'))
    .action(async (path: string, options: CommonOptions & { readonly user: string; readonly role: ProjectRole }) => {
      await withServices(terminal, options, async (services) => {
        await setMember(
          services,
          await requireProject(services, path),
          await requireUser(services, options.user),
          options.role,
        );
        if (options.json) printJson(terminal, { project: path, user: options.user, role: options.role });
        else printLine(terminal, `${options.user} is ${options.role} of ${path}.`);
      });
    });
}
