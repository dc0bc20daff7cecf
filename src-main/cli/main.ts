// The command line's entry: connects the program to this process and decides nothing but what is loaded.
import type { Terminal } from './terminal.ts';

const args = process.argv.slice(2);
const { stdin, stdout, stderr, env: environment } = process;
const terminal: Terminal = { stdin, stdout, stderr, environment, programDir: import.meta.dirname };
process.exitCode =
  args[0] === 'download'
    ? await (await import('./download-program.ts')).runDownload(args, terminal)
    : await (await import('./program.ts')).runProgram(args, terminal);
