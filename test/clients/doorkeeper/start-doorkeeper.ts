import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface DoorkeeperWish {
  /** A file that does not exist yet. */
  readonly database: string;
  readonly users: readonly { readonly username: string; readonly password: string; readonly two_factor?: boolean }[];
  readonly applications: readonly {
    readonly name: string;
    readonly redirect_uri: string;
    readonly scopes: string;
    readonly confidential: boolean;
  }[];
  /** Number of initial tokens of the first user and application. */
  readonly tokens?: number;
  readonly log?: string;
}

export interface Doorkeeper {
  readonly port: number;
  readonly pid: number;
  readonly applications: Readonly<Record<string, { readonly clientId: string; readonly secret: string }>>;
  readonly tokens: readonly { readonly accessToken: string; readonly refreshToken: string }[];
  stop(): Promise<void>;
}

/** Starts Doorkeeper with its own users and applications; app/service.rb is its configuration. */
export async function startDoorkeeper(wish: DoorkeeperWish): Promise<Doorkeeper> {
  // Debian's Ruby regardless of PATH, because its packages are Debian's.
  const child = spawn('/usr/bin/ruby', [path.join(import.meta.dirname, 'app/service.rb')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  child.stdin.write(`${JSON.stringify(wish)}\n`);
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    gone.then(([code]) => [`status ${code}`]),
  ]);
  if (!String(line[0]).startsWith('{'))
    throw new Error(`Doorkeeper ended with ${String(line[0])} instead of listening`);
  return {
    ...(JSON.parse(String(line[0])) as Pick<Doorkeeper, 'port' | 'applications' | 'tokens'>),
    pid: child.pid ?? 0,
    stop: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
