import { addDownload } from './download.ts';
import { rootCommand, runCommand } from './root-command.ts';
import type { Terminal } from './terminal.ts';

/** `benchport download` alone: it needs nothing of the service, whose modules would take longer to load than many a download. @returns the exit status */
export async function runDownload(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = rootCommand(terminal);
  addDownload(program, terminal);
  return runCommand(program, args, terminal, () => false);
}
