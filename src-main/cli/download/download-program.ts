import { addDownload } from './download.ts';
import { rootCommand, runCommand } from '../support/root-command.ts';
import type { Terminal } from '../support/terminal.ts';

const threads = '16';

/**
 * `benchport download` alone: it needs nothing of the service, whose modules would take longer to
 * load than many downloads.
 * @returns the exit status
 */
export async function runDownload(args: readonly string[], terminal: Terminal): Promise<number> {
  // Disks finish many small files at once in little more time than one. libuv reads the variable at
  // the first use of its thread pool ("Thread pool work scheduling").
  process.env['UV_THREADPOOL_SIZE'] ??= threads;
  const program = rootCommand(terminal);
  addDownload(program, terminal);
  return runCommand(program, args, terminal, () => false);
}
