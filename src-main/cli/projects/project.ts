import type { Command } from 'commander';
import { group } from '../support/command.ts';
import { addProjectCreate } from './project-create.ts';
import { addProjectList } from './project-list.ts';
import { addProjectMember } from './project-member.ts';
import { addProjectQuota } from './project-quota.ts';
import type { Terminal } from '../support/terminal.ts';

/** `benchport project ...` */
export function addProjectCommands(program: Command, terminal: Terminal): void {
  const projects = group(program, 'project', 'Projects and their members');
  addProjectCreate(projects, terminal);
  addProjectMember(projects, terminal);
  addProjectQuota(projects, terminal);
  addProjectList(projects, terminal);
}
