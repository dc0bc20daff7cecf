import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../free-port.ts';
import { findPrograms, unprivileged } from './programs.ts';

/** One PostgreSQL for tests, in a folder of its own. */
export interface PostgresServer {
  readonly dir: string;
  readonly port: number;
  /** The address of a database of it. */
  url(database: string): string;
  /** Runs `pg_ctl`, such as `stop -m immediate` for a crash. */
  control(...options: readonly string[]): void;
}

/** The server in a folder made by `createServer`. */
export function serverIn(dir: string, port: number): PostgresServer {
  const programs = findPrograms();
  return {
    dir,
    port,
    url: (database) => `postgres://benchport@127.0.0.1:${port}/${database}`,
    control: (...options) => {
      const done = spawnSync(path.join(programs, 'pg_ctl'), ['-D', path.join(dir, 'data'), '-w', ...options], {
        ...unprivileged(),
        cwd: dir,
        encoding: 'utf8',
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      if (done.status !== 0) throw new Error(`pg_ctl ${options.join(' ')} failed: ${done.stderr}`);
    },
  };
}

/**
 * Makes a server and starts it.
 *
 * @param settings lines of postgresql.conf.
 */
export async function createServer(dir: string, settings: readonly string[] = []): Promise<PostgresServer> {
  const user = unprivileged();
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  const made = spawnSync(
    path.join(findPrograms(), 'initdb'),
    ['-D', path.join(dir, 'data'), '-U', 'benchport', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: dir, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const lines = [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    `unix_socket_directories = '${dir}'`,
    'max_connections = 400',
    ...settings,
  ];
  writeFileSync(path.join(dir, 'data', 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  const server = serverIn(dir, port);
  server.control('start', '-l', path.join(dir, 'log'));
  return server;
}

/**
 * Makes a standby of a server and starts it.
 *
 * @param through the port at which it follows the server.
 */
export async function createStandby(primary: PostgresServer, dir: string, through: number): Promise<PostgresServer> {
  const user = unprivileged();
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  const data = path.join(dir, 'data');
  const made = spawnSync(
    path.join(findPrograms(), 'pg_basebackup'),
    ['-d', `host=127.0.0.1 port=${primary.port} user=benchport`, '-D', data, '-X', 'stream', '-c', 'fast', '--no-sync'],
    { ...user, cwd: dir, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`pg_basebackup of ${primary.dir} failed: ${made.stderr}`);
  const port = await freePort();
  const from = `primary_conninfo = 'host=127.0.0.1 port=${through} user=benchport'`;
  const lines = [`port = ${port}`, `unix_socket_directories = '${dir}'`, from];
  appendFileSync(path.join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  writeFileSync(path.join(data, 'standby.signal'), '');
  if (user.uid !== undefined && user.gid !== undefined)
    chownSync(path.join(data, 'standby.signal'), user.uid, user.gid);
  const server = serverIn(dir, port);
  server.control('start', '-l', path.join(dir, 'log'));
  return server;
}

/** Stops a server and removes its folder. */
export function removeServer(server: PostgresServer): void {
  server.control('stop', '-m', 'immediate');
  rmSync(server.dir, { recursive: true, force: true });
}

/** Where the server that the tests of one run share is; its name is in the environment. */
export function sharedDir(run: string): string {
  return path.join(os.tmpdir(), `benchport-postgres-${run}`);
}

/** Name and version of the PostgreSQL that tests use. */
export function postgresVersion(): string {
  const { stdout } = spawnSync(path.join(findPrograms(), 'postgres'), ['--version'], { encoding: 'utf8' });
  return stdout.replace(/^postgres \((\w+)\) (\S+).*$/s, '$1 $2');
}
