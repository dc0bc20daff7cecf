import { note, type Terminal } from './terminal.ts';

/**
 * Ignores a closed reader of the output (`| head -n 1`): the work continues. Any other failure to
 * write, such as a full disk behind `>`, is reported, and `fail` is called.
 */
export function watchOutput(terminal: Terminal, fail: () => void): void {
  terminal.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    note(terminal, `benchport: The output cannot be written: ${error.message}.`);
    fail();
  });
  // Losing messages on standard error does not fail the command.
  terminal.stderr.on('error', () => {});
}
