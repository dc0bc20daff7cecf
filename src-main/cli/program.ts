import { Command, CommanderError } from 'commander';
import { JobFailed } from '../service/jobs/job-work.ts';
import { HttpProblem } from '../service/http/problem.ts';
import { programVersion } from '../service/program-files.ts';
import { StartError } from '../service/start-error.ts';
import { addAppCommands } from './app.ts';
import { addBackup } from './backup.ts';
import { addDoctor } from './doctor.ts';
import { addDownload } from './download.ts';
import { addKeyCommands } from './key.ts';
import { addMeasurementCommands } from './measurement.ts';
import { addProjectCommands } from './project.ts';
import { addRestore } from './restore.ts';
import { addServe } from './serve.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { addTokenCommands } from './token.ts';
import { addUserCommands } from './user.ts';

/**
 * Runs one command line.
 *
 * @returns the exit status: 0, 1 for a failure, 2 for bad usage.
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await newProgram(terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, terminal);
  }
}

/** All commands with what their help says; the manual is made of the same. */
export function newProgram(terminal: Terminal): Command {
  const program = new Command('benchport')
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .configureOutput({ writeOut: (text) => terminal.stdout.write(text), writeErr: (text) => terminal.stderr.write(text) })
    .showSuggestionAfterError(false)
    .description('Serves lab measurements: manifest, byte ranges and one resumable ZIP')
    .version(programVersion(terminal.programDir), '-V, --version', 'show the version')
    .addHelpText('after', moreHelp);
  addServe(program, terminal);
  addUserCommands(program, terminal);
  addTokenCommands(program, terminal);
  addAppCommands(program, terminal);
  addMeasurementCommands(program, terminal);
  addProjectCommands(program, terminal);
  addKeyCommands(program, terminal);
  addDownload(program, terminal);
  addBackup(program, terminal);
  addRestore(program, terminal);
  addDoctor(program, terminal);
  return program;
}

const moreHelp = `
Each command tells more: benchport serve --help, benchport user create --help.

Environment:
  BENCHPORT_DATA  data directory, where --data does not name it
  BENCHPORT_LOG   debug, info, warn, error or silent: what "serve" logs

Exit status: 0 when it is done, 1 when it failed, 2 when the command line is wrong.`;

function report(error: unknown, terminal: Terminal): number {
  // Commander has written its own line already; a group without a command has shown its help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  const expected = error instanceof CommandError || error instanceof StartError || error instanceof HttpProblem || error instanceof JobFailed;
  terminal.stderr.write(`benchport: ${expected ? message : `Something unexpected failed: ${message}`}\n`);
  if (!expected && terminal.environment['BENCHPORT_LOG'] === 'debug' && error instanceof Error) terminal.stderr.write(`${error.stack}\n`);
  return error instanceof CommandError ? error.status : 1;
}
