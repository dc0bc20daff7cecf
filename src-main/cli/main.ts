// The command line's entry: connects the program to this process and decides nothing by itself.
import { runProgram } from './program.ts';

process.exitCode = await runProgram(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  programDir: import.meta.dirname,
});
