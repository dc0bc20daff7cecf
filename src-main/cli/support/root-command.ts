import { Command, CommanderError } from 'commander';
import { programVersion } from '../../service/process/program-files.ts';
import { CommandError, inert, inertLines, type Terminal } from './terminal.ts';

/** The `benchport` command without subcommands. */
export function rootCommand(terminal: Terminal): Command {
  return new Command('benchport')
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(inertLines(text)),
    })
    .showSuggestionAfterError(false)
    .description('Serves lab measurements: manifest, byte ranges and one resumable ZIP')
    .version(programVersion(terminal.programDir), '-V, --version', 'show the version')
    .addHelpText('after', moreHelp);
}

const moreHelp = `
Each command tells more: benchport serve --help, benchport user create --help.

Environment:
  BENCHPORT_DATA  data directory, if --data does not name it
  BENCHPORT_LOG   debug, info, warn, error or silent: what "serve" logs
  BENCHPORT_DATABASE_URL, or BENCHPORT_DATABASE_URL_FILE with a file that holds it:
                  the PostgreSQL of a facility, for all commands instead of a data directory;
                  they also need BENCHPORT_SECRET_KEY_FILE, and BENCHPORT_LIBRARY_DIR
                  unless all measurements are in an object storage

Exit status: 0 when it is done, 1 when it failed, 2 when the command line is wrong.`;

/**
 * Runs one command line.
 * @param isExpected whether an error's message is meant for the user; that of a CommandError always
 * is.
 * @returns the exit status: 0, 1 for a failure, 2 for bad usage.
 */
export async function runCommand(
  program: Command,
  args: readonly string[],
  terminal: Terminal,
  isExpected: (error: unknown) => boolean,
): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its message, or the help of a group without a subcommand.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const message = error instanceof Error ? error.message : String(error);
    const expected = error instanceof CommandError || isExpected(error);
    terminal.stderr.write(`benchport: ${inert(expected ? message : `Unexpected error: ${message}`)}\n`);
    if (!expected && terminal.environment['BENCHPORT_LOG'] === 'debug' && error instanceof Error)
      terminal.stderr.write(`${inertLines(error.stack ?? '')}\n`);
    return error instanceof CommandError ? error.status : 1;
  }
}
