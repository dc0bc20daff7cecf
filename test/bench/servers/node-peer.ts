import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { processTools, type Server } from './server.ts';

/** Starts a peer that is a Node program; it prints `{"port":N}` when it listens. */
export async function startNodePeer(
  name: string,
  program: URL,
  args: readonly string[],
  nodeArguments: readonly string[] = [],
): Promise<Server> {
  const child = spawn(process.execPath, [...nodeArguments, program.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => [String(code)]),
  ]);
  if (!String(line[0]).startsWith('{')) throw new Error(`${name} ended with ${String(line[0])} instead of listening`);
  const { port } = JSON.parse(String(line[0])) as { readonly port: number };
  return { name, port, ...processTools(child.pid ?? 0), stop: () => endChild(child) };
}

/** Asks a child to end and waits for it. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
