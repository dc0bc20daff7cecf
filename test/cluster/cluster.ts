import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lowPorts } from '../free-port.ts';
import { createEmptyDatabase, type TestDatabase } from '../service/postgres/database.ts';
import { programEntry } from '../service/program-entry.ts';
import { mustRun } from '../service/run-program.ts';
import { startBalancer, type Balancer, type BalancerKind } from './balancer.ts';

export interface ReplicaProcess {
  readonly name: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** The end of its error output. */
  readonly errors: () => string;
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
  readonly end: () => Promise<void>;
}

const maxErrors = 2000;

/** A database of a test. */
export interface ReachedDatabase extends TestDatabase {
  /** The address at which a replica reaches it, if not at that of all others. */
  readonly urlOf?: (replica: string) => string;
}

/** Settings that all replicas of a cluster share. */
export interface ClusterOptions {
  readonly dir: string;
  /** With all tables. */
  readonly database: ReachedDatabase;
  readonly baseUrl: string;
  /** Of the balancer. */
  readonly port: number;
  readonly count: number;
}

/** Starts three replicas with an administrator alice, and a balancer before them. */
export async function startCluster(kind: BalancerKind, reached?: ReachedDatabase): Promise<TestCluster> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-cluster-'));
  const database = reached ?? (await createEmptyDatabase());
  const [port = 0] = await lowPorts(1);
  const options = { dir, database, baseUrl: `http://bench.lab.example:${port}`, port, count: 3 };
  await prepareFolder(dir);
  await runCommand(options, ['database', 'migrate']);
  await runCommand(options, ['user', 'create', 'alice', '--admin', '--password-stdin'], 'a long enough passphrase');
  return startReplicas(kind, options);
}

/** Makes what all replicas of a folder share: the library and the secret key. */
export async function prepareFolder(dir: string): Promise<SharedFiles> {
  const shared = sharedFiles(dir);
  await mkdir(shared.libraryDir);
  await writeFile(shared.secretKeyFile, randomBytes(32));
  return shared;
}

interface SharedFiles {
  readonly libraryDir: string;
  readonly secretKeyFile: string;
}

function sharedFiles(dir: string): SharedFiles {
  return { libraryDir: path.join(dir, 'library'), secretKeyFile: path.join(dir, 'key') };
}

function environmentOf({ dir, database, baseUrl }: ClusterOptions): Readonly<Record<string, string>> {
  const { libraryDir, secretKeyFile } = sharedFiles(dir);
  return {
    BENCHPORT_DATABASE_URL: database.url,
    BENCHPORT_LIBRARY_DIR: libraryDir,
    BENCHPORT_SECRET_KEY_FILE: secretKeyFile,
    BENCHPORT_BASE_URL: baseUrl,
    BENCHPORT_TRUSTED_PROXIES: '127.0.0.1',
  };
}

async function runCommand(options: ClusterOptions, args: readonly string[], input = ''): Promise<string> {
  return mustRun(process.execPath, [programEntry('command line'), ...args], { env: environmentOf(options), input });
}

function spawnReplica(
  options: ClusterOptions,
  name: string,
  own: number,
  nodeArgs: readonly string[] = [],
): ReplicaProcess {
  const { database } = options;
  const args = ['serve', '--cluster', '--port', String(own), '--replica', name, '--data', path.join(options.dir, name)];
  const child = spawn(process.execPath, [...nodeArgs, programEntry('command line'), ...args], {
    env: {
      ...process.env,
      ...environmentOf(options),
      BENCHPORT_DATABASE_URL: database.urlOf?.(name) ?? database.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-maxErrors)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return { name, port: own, child, errors: () => errors, ended };
}

async function untilListening({ name, child, errors, ended }: ReplicaProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    void ended.then(() => reject(new Error(`replica ${name} ended: ${errors()}`)));
  });
}

/** Starts replicas in a folder that `prepareFolder` made, and a balancer before them. */
export async function startReplicas(kind: BalancerKind, options: ClusterOptions): Promise<TestCluster> {
  const { dir, database, baseUrl, port, count } = options;
  const host = new URL(baseUrl).hostname;
  const ports = await lowPorts(count);
  const replicas = ports.map((own, at) => spawnReplica(options, `replica-${at + 1}`, own));
  const started = replicas.map(async (replica) => untilListening(replica));
  const balancer: Balancer = await Promise.all(started)
    .then(async () => startBalancer(kind, { dir, host, port, ports }))
    .catch((error: unknown) => {
      for (const { child } of replicas) child.kill('SIGKILL');
      throw error;
    });
  return {
    dir,
    url: balancer.url,
    database,
    replicas,
    command: async (args, input) => runCommand(options, args, input),
    restart: async (old, nodeArgs) => {
      const next = spawnReplica(options, old.name, old.port, nodeArgs);
      await untilListening(next);
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
