// A private display for the tests, with a number that no other process uses.
import { spawn } from 'node:child_process';

/** Starts Xvfb, which chooses a free display and writes its number to descriptor 3. */
export async function startXvfb() {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const display = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Xvfb ended with status ${code}`)));
    child.stdio[3].once('data', (bytes) => resolve(`:${String(bytes).trim()}`));
  });
  return { display, stop: () => child.kill() };
}
