import type { Command } from 'commander';
import type { GrantSubject } from '../service/measurements/grants-store.ts';
import type { Services } from '../service/services.ts';
import { requireUser } from './require-user.ts';
import { CommandError } from './terminal.ts';

export interface SubjectOptions {
  readonly user?: string;
  readonly project?: string;
  readonly everyone?: true;
}

/** Adds `--user NAME | --project PATH | --everyone` to a command. */
export function subjectOptions(command: Command): Command {
  return command.option('--user <name>', 'one user').option('--project <path>', 'the members of a project').option('--everyone', 'everyone with an account');
}

/**
 * Whom a grant is about.
 *
 * @throws CommandError for none or several of the three, and for an unknown user or project.
 */
export async function findSubject(services: Services, options: SubjectOptions): Promise<{ readonly subject: GrantSubject; readonly text: string }> {
  if (options.user !== undefined) {
    const user = await requireUser(services, options.user);
    return { subject: { userId: user.id }, text: `user ${user.username}` };
  }
  if (options.project !== undefined) {
    const project = await services.projects.byPath(options.project);
    if (!project) throw new CommandError(`There is no project ${options.project}. Create it with "benchport project create ${options.project}".`);
    return { subject: { projectId: project.id }, text: `the members of ${project.path}` };
  }
  return { subject: { everyone: true }, text: 'everyone with an account' };
}

/** @throws CommandError (bad usage) unless exactly one of the three was given. */
export function requireOneSubject(options: SubjectOptions): void {
  const given = [options.user, options.project, options.everyone].filter((value) => value !== undefined).length;
  if (given !== 1) throw new CommandError('Give exactly one of --user, --project and --everyone.', 2);
}
