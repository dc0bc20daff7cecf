import { note, type Terminal } from './terminal.ts';

/**
 * Ignores a reader of the output that has gone away (`| head -n 1`): the work goes on. Any other failure to write, such as a
 * full disk behind `>`, is reported, and `fail` is called.
 */
export function watchOutput(terminal: Terminal, fail: () => void): void {
  terminal.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    note(terminal, `benchport: The output cannot be written: ${error.message}.`);
    fail();
  });
  // Nobody reads standard error: only messages are lost.
  terminal.stderr.on('error', () => {});
}
