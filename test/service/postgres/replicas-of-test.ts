import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { ServiceConfig } from '../../../src-main/service/config/config.ts';
import { startTestService, type TestService } from '../start.ts';
import { createTestDatabase } from './database.ts';

/** A replica in a process of its own. */
export interface ReplicaProcess {
  readonly url: string;
  readonly replicaId: number;
  /** Sends a signal; for SIGKILL, waits until the process has ended. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
}

/** Replicas on one database. */
export interface Replicas {
  readonly databaseUrl: string;
  /** A connection of the test itself. */
  readonly client: pg.Client;
  /** Starts a replica in the process of the test. */
  start(overrides?: Partial<ServiceConfig>): Promise<TestService>;
  /** Starts a replica in a process of its own. */
  spawn(overrides?: Partial<ServiceConfig>): Promise<ReplicaProcess>;
  end(): Promise<void>;
}

interface Database {
  readonly url: string;
  remove(): Promise<void>;
}

/**
 * @param options `made`: a database of a server of the test's own; one on the server that tests share
 * when left out. `library`: false for replicas without a folder that they share.
 */
export async function replicasOfTest(
  options: { readonly made?: Database; readonly library?: false } = {},
): Promise<Replicas> {
  const own = options.made ?? (await createTestDatabase());
  const client = new pg.Client({ connectionString: own.url });
  // A test may end its server.
  client.on('error', () => {});
  await client.connect();
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-replicas-'));
  const secretKeyFile = path.join(dir, 'secret.key');
  await writeFile(secretKeyFile, randomBytes(32));
  const libraryDir = path.join(dir, 'library');
  await mkdir(libraryDir);
  const shared = { secretKeyFile, ...(options.library === false ? ({ library: 'none' } as const) : { libraryDir }) };
  const database = { url: own.url, listenUrl: null, connections: 4 };
  const services: TestService[] = [];
  const children: ChildProcess[] = [];

  return {
    databaseUrl: own.url,
    client,
    start: async (overrides = {}) => {
      const service = await startTestService({ database, ...shared, ...overrides });
      services.push(service);
      return service;
    },
    spawn: async (overrides = {}) => {
      const dataDir = path.join(dir, String(children.length));
      await mkdir(dataDir);
      const config = { dataDir, database, ...shared, ...overrides };
      const child = spawn(
        process.execPath,
        [path.join(import.meta.dirname, 'replica-child.ts'), JSON.stringify(config)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      children.push(child);
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      return {
        ...(JSON.parse(line) as { url: string; replicaId: number }),
        signal: async (name) => {
          const ended = once(child, 'exit');
          child.kill(name);
          if (name === 'SIGKILL') await ended;
        },
      };
    },
    end: async () => {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await Promise.all(services.map(async (service) => service.end()));
      await client.end().catch(() => undefined);
      await own.remove();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
