import { note, type Terminal } from './terminal.ts';

/**
 * Bears a reader of the output that has gone away (`| head -n 1`) without a word, as the work goes on; what cannot be
 * written for another reason, such as a full disk behind `>`, is said, and `fail` is called.
 */
export function watchOutput(terminal: Terminal, fail: () => void): void {
  terminal.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    note(terminal, `benchport: The output cannot be written: ${error.message}.`);
    fail();
  });
  // What is said to people when nobody can read it is lost, and nothing else.
  terminal.stderr.on('error', () => {});
}
