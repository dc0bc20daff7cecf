import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { createEmptyDatabase, type TestDatabase } from '../service/postgres/database.ts';
import { programEntry } from '../service/program-entry.ts';
import { mustRun } from '../service/run-program.ts';
import { startBalancer, type Balancer, type BalancerKind } from './balancer.ts';

export interface ReplicaProcess {
  readonly name: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Exit of the process. */
  readonly ended: Promise<void>;
}

/** Replicas on one PostgreSQL behind a balancer, each a process of the command line. */
export interface TestCluster {
  readonly dir: string;
  /** Address of the balancer. */
  readonly url: string;
  readonly database: TestDatabase;
  readonly replicas: readonly ReplicaProcess[];
  /** Runs a command on the database that must succeed. @returns its output. */
  command(args: readonly string[], input?: string): Promise<string>;
  /** Starts a replica again, on its port. @param nodeArgs options of Node. */
  restart(replica: ReplicaProcess, nodeArgs?: readonly string[]): Promise<ReplicaProcess>;
  end(): Promise<void>;
}

const host = 'bench.lab.example';

/** A database of a test, and the address at which each replica reaches it. */
export interface ReachedDatabase extends TestDatabase {
  readonly urlOf: (replica: number) => string;
}

/** Starts three replicas with an administrator alice, and a balancer before them. */
export async function startCluster(kind: BalancerKind, reached?: ReachedDatabase): Promise<TestCluster> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-cluster-'));
  const database = reached ?? (await createEmptyDatabase());
  const urlOf = (port: number): string => reached?.urlOf(ports.indexOf(port)) ?? database.url;
  const [port, ...ports] = await Promise.all(Array.from({ length: 4 }, async () => freePort()));
  await mkdir(path.join(dir, 'library'));
  await writeFile(path.join(dir, 'key'), randomBytes(32));
  const env = {
    BENCHPORT_DATABASE_URL: database.url,
    BENCHPORT_LIBRARY_DIR: path.join(dir, 'library'),
    BENCHPORT_SECRET_KEY_FILE: path.join(dir, 'key'),
    BENCHPORT_BASE_URL: `http://${host}:${port}`,
    BENCHPORT_TRUSTED_PROXIES: '127.0.0.1',
  };
  const command = async (args: readonly string[], input = ''): Promise<string> =>
    mustRun(process.execPath, [programEntry('command line'), ...args], { env, input });
  await command(['database', 'migrate']);
  await command(['user', 'create', 'alice', '--admin', '--password-stdin'], 'a long enough passphrase');

  const start = async (name: string, own: number, nodeArgs: readonly string[] = []): Promise<ReplicaProcess> => {
    const args = ['serve', '--cluster', '--port', String(own), '--replica', name, '--data', path.join(dir, name)];
    const child = spawn(process.execPath, [...nodeArgs, programEntry('command line'), ...args], {
      env: { ...process.env, ...env, BENCHPORT_DATABASE_URL: urlOf(own) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve());
      void ended.then(() => reject(new Error(`replica ${name} ended`)));
    });
    return { name, port: own, child, ended };
  };
  const replicas = await Promise.all(ports.map(async (own, at) => start(`replica-${at + 1}`, own)));
  const balancer: Balancer = await startBalancer(kind, { dir, host, port: port ?? 0, ports }).catch(
    (error: unknown) => {
      for (const { child } of replicas) child.kill('SIGKILL');
      throw error;
    },
  );
  return {
    dir,
    url: balancer.url,
    database,
    replicas,
    command,
    restart: async (old, nodeArgs) => {
      const next = await start(old.name, old.port, nodeArgs);
      replicas[replicas.indexOf(old)] = next;
      return next;
    },
    end: async () => {
      for (const { child } of replicas) child.kill('SIGKILL');
      await Promise.all(replicas.map(async ({ ended }) => ended));
      await balancer.end();
      // The server drops connections of dead processes a moment later.
      await setTimeout(100);
      await database.remove();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
