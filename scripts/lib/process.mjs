// Child processes that end with their parent.
import { spawn } from 'node:child_process';
import os from 'node:os';

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command with inherited input and output and resolves to its exit code; signals are
 * forwarded to it.
 */
export function run(command, args = [], options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    // At a terminal Ctrl-C reaches the child directly, and a second signal may mean something else
    // to it.
    const forward = (signal) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const settle = (code) => {
      for (const signal of passedOn) process.off(signal, forward);
      resolve(code);
    };
    for (const signal of passedOn) process.on(signal, forward);
    child.once('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      settle(127);
    });
    child.once('exit', (code, signal) => settle(code ?? 128 + os.constants.signals[signal]));
  });
}

/** The npm that started this script, else the one on PATH, as the start of a command line. */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
}
