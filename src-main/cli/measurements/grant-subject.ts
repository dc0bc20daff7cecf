import type { Command } from 'commander';
import { CommandError } from '../support/terminal.ts';

export interface SubjectOptions {
  readonly user?: string;
  readonly project?: string;
  readonly everyone?: true;
}

/** Adds `--user NAME | --project PATH | --everyone` to a command. */
export function subjectOptions(command: Command): Command {
  return command
    .option('--user <name>', 'one user')
    .option('--project <path>', 'the members of a project')
    .option('--everyone', 'everyone with an account');
}

/** @throws CommandError (bad usage) unless exactly one of the three was given. */
export function requireOneSubject(options: SubjectOptions): void {
  const given = [options.user, options.project, options.everyone].filter((value) => value !== undefined).length;
  if (given !== 1) throw new CommandError('Give exactly one of --user, --project and --everyone.', 2);
}

/** The subject of a grant in words. */
export function subjectText(options: SubjectOptions): string {
  if (options.user !== undefined) return `user ${options.user}`;
  return options.project === undefined ? 'everyone with an account' : `the members of ${options.project}`;
}
