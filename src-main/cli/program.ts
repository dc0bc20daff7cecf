import type { Command } from 'commander';
import { JobFailed } from '../service/jobs/job-work.ts';
import { HttpProblem } from '../service/common/problem.ts';
import { StartError } from '../service/common/start-error.ts';
import { addAppCommands } from './applications/app.ts';
import { addBackup } from './data/backup.ts';
import { addCaptureCommands } from './capture/capture.ts';
import { addNotifyCommands } from './notify/notify.ts';
import { addDatabaseCommands } from './data/database.ts';
import { addDiagnostics } from './data/diagnostics.ts';
import { addDoctor } from './data/doctor.ts';
import { addDownload } from './download/download.ts';
import { addFleetCommands } from './fleet/fleet.ts';
import { addKeyCommands } from './projects/key.ts';
import { addLibraryCommands } from './library/library.ts';
import { addMeasurementCommands } from './measurements/measurement.ts';
import { addMove } from './data/move.ts';
import { addPush } from './copies/push.ts';
import { addReceiptCommands } from './copies/receipt.ts';
import { addProjectCommands } from './projects/project.ts';
import { addRestore } from './data/restore.ts';
import { rootCommand, runCommand } from './support/root-command.ts';
import { addServe } from './serve/serve.ts';
import type { Terminal } from './support/terminal.ts';
import { addTokenCommands } from './users/token.ts';
import { addUpload } from './upload/upload.ts';
import { addUserCommands } from './users/user.ts';

/** Runs one command line. @returns the exit status: 0, 1 for a failure, 2 for bad usage. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommand(newProgram(terminal), args, terminal, isExpected);
}

function isExpected(error: unknown): boolean {
  return error instanceof StartError || error instanceof HttpProblem || error instanceof JobFailed;
}

/** All commands with their help; the manual page is generated from them too. */
export function newProgram(terminal: Terminal): Command {
  const program = rootCommand(terminal);
  addServe(program, terminal);
  addUserCommands(program, terminal);
  addTokenCommands(program, terminal);
  addAppCommands(program, terminal);
  addMeasurementCommands(program, terminal);
  addLibraryCommands(program, terminal);
  addProjectCommands(program, terminal);
  addKeyCommands(program, terminal);
  addDownload(program, terminal);
  addUpload(program, terminal);
  addPush(program, terminal);
  addReceiptCommands(program, terminal);
  addCaptureCommands(program, terminal);
  addNotifyCommands(program, terminal);
  addFleetCommands(program, terminal);
  addBackup(program, terminal);
  addRestore(program, terminal);
  addMove(program, terminal);
  addDatabaseCommands(program, terminal);
  addDoctor(program, terminal);
  addDiagnostics(program, terminal);
  return program;
}
