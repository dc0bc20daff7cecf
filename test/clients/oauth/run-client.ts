import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { approve } from './approve.ts';
import type { Provider } from './start-provider.ts';

/** Parameters of a program: the provider and its application. */
export interface ClientConfig {
  readonly url: string;
  readonly download: string;
  readonly clientId: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly username: string;
  readonly password: string;
  readonly personalToken?: string;
}

/**
 * Runs a client program in another language. It reads its configuration as a line of JSON; for each
 * `{"open": ADDRESS}` that it prints, the user approves there and the program gets the resulting
 * redirect; its last line is `{"done": FINDINGS}`. @returns its findings
 */
export async function runClient(
  provider: Provider,
  command: string,
  args: readonly string[],
  config: ClientConfig,
): Promise<unknown> {
  const child = spawn(command, [...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  // A program that has failed reads no more.
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify(config)}\n`);
  try {
    for await (const line of createInterface(child.stdout)) {
      const message = JSON.parse(line) as { readonly open?: string; readonly done?: unknown };
      if (message.open === undefined) return message.done;
      child.stdin.write(`${(await approve(provider, message.open)).url.href}\n`);
    }
  } finally {
    child.kill();
  }
  throw new Error(`${command} ${args.join(' ')} ended without findings:\n${complaints}`);
}
