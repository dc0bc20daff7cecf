import type { Command } from 'commander';
import { JobFailed } from '../service/jobs/job-work.ts';
import { HttpProblem } from '../service/http/problem.ts';
import { StartError } from '../service/start-error.ts';
import { addAppCommands } from './app.ts';
import { addBackup } from './backup.ts';
import { addDiagnostics } from './diagnostics.ts';
import { addDoctor } from './doctor.ts';
import { addDownload } from './download.ts';
import { addKeyCommands } from './key.ts';
import { addMeasurementCommands } from './measurement.ts';
import { addMove } from './move.ts';
import { addProjectCommands } from './project.ts';
import { addRestore } from './restore.ts';
import { rootCommand, runCommand } from './root-command.ts';
import { addServe } from './serve.ts';
import type { Terminal } from './terminal.ts';
import { addTokenCommands } from './token.ts';
import { addUserCommands } from './user.ts';

/** Runs one command line. @returns the exit status: 0, 1 for a failure, 2 for bad usage. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommand(newProgram(terminal), args, terminal, isExpected);
}

function isExpected(error: unknown): boolean {
  return error instanceof StartError || error instanceof HttpProblem || error instanceof JobFailed;
}

/** All commands with what their help says; the manual is made of the same. */
export function newProgram(terminal: Terminal): Command {
  const program = rootCommand(terminal);
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
  addMove(program, terminal);
  addDoctor(program, terminal);
  addDiagnostics(program, terminal);
  return program;
}
