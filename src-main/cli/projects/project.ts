import type { Command } from 'commander';
import { group } from '../support/command.ts';
import { addProjectCreate } from './project-create.ts';
import { addProjectList } from './project-list.ts';
import { addProjectMember } from './project-member.ts';
import { addQuota } from '../support/quota-command.ts';
import { requireProject } from './require-project.ts';
import type { Terminal } from '../support/terminal.ts';

/** `benchport project ...` */
export function addProjectCommands(program: Command, terminal: Terminal): void {
  const projects = group(program, 'project', 'Projects and their members');
  addProjectCreate(projects, terminal);
  addProjectMember(projects, terminal);
  addQuota(projects, terminal, {
    kind: 'project',
    description: 'Show or set how much the measurements of a project may take',
    argument: ['<path>', 'path of the project'],
    find: requireProject,
  });
  addProjectList(projects, terminal);
}
