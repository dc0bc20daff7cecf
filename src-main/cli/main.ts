// Entry of the command line: connects the program to this process and decides only what is loaded.
import { isNodeSupported, minNode } from '../service/diagnostics/node-version.ts';
import { keepCompiled } from './keep-compiled.ts';
import type { Terminal } from './support/terminal.ts';
import { watchOutput } from './support/watch-output.ts';

if (!isNodeSupported(process.versions.node)) {
  console.error(
    'benchport: This needs Node %s or newer, and this is %s. Install a newer one.',
    minNode.join('.'),
    process.versions.node,
  );
  process.exit(1);
}
const args = process.argv.slice(2);
// Cached code stays in memory, which a long-running service pays for longer; and uncompiled sources
// change.
if (args[0] !== 'serve' && import.meta.filename.endsWith('.js')) keepCompiled();
const { stdout, stderr, env: environment } = process;
const terminal: Terminal = {
  // Few commands read stdin, and Node creates the stream on first access.
  get stdin() {
    return process.stdin;
  },
  stdout,
  stderr,
  environment,
  programDir: import.meta.dirname,
};
// Output may fail to be written after the command has succeeded.
watchOutput(terminal, () => process.once('exit', () => (process.exitCode = 1)));
process.exitCode =
  args[0] === 'download'
    ? await (await import('./download/download-program.ts')).runDownload(args, terminal)
    : await (await import('./program.ts')).runProgram(args, terminal);
