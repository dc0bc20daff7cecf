import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSettings } from '../../../src-main/service/database/database-settings.ts';
import { migratePostgres } from '../../../src-main/service/database/postgres/migrate.ts';
import { serviceArguments } from '../../../src-main/shell/service/service-arguments.ts';
import { execute } from '../../service/postgres/database.ts';
import { createServer, removeServer, sharedDir, type PostgresServer } from '../../service/postgres/server.ts';
import { compileClient, runClient, type Load, type Run } from '../clients.ts';
import { startBugsink, type Bugsink } from '../errors/bugsink.ts';
import { writeEventBodies } from '../errors/event-bodies.ts';
import { writeFiles } from '../fixture/files.ts';
import type { OAuthServer } from '../oauth/oauth-server.ts';
import type { Options, Say } from '../options.ts';
import { startOidcProvider } from '../peers/start-oidc-provider.ts';
import { startNodePeer } from '../servers/node-peer.ts';
import { processTools, type Server } from '../servers/server.ts';
import { fillDatabase, type ClusterFixture } from './cluster-database.ts';

export const connections = 8;

/** Our service on one of the databases. */
export interface Replica {
  readonly server: Server;
  readonly fixture: ClusterFixture;
}

/** One service on SQLite and one on PostgreSQL, with equal data; only one works at a time. */
export interface ClusterBench {
  readonly options: Options;
  readonly sqlite: Replica;
  readonly postgres: Replica;
  /** On the same PostgreSQL. */
  readonly bugsink: Bugsink;
  /** On the same PostgreSQL. */
  readonly oidcProvider: OAuthServer;
  readonly secret: string;
  readonly events: number;
  readonly errors: number;
  /** Compressed envelopes whose event has 5 KB. */
  readonly bodies: readonly string[];
  readonly download: { readonly path: string; readonly size: number };
  client(server: Server, path: string, load: Omit<Load, 'port' | 'path'>): Promise<Run>;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** Makes a PostgreSQL as it is installed, and fills both databases. */
export async function startClusterBench(dir: string, options: Options, say: Say): Promise<ClusterBench> {
  const root = path.join(dir, 'root');
  mkdirSync(root, { recursive: true });
  const set = { name: 'single', count: 1, size: 256 * 2 ** 20, sparse: true };
  const many = options.quick ? { events: 20_000, errors: 1000 } : { events: 200_000, errors: 10_000 };
  const secret = randomBytes(32).toString('hex');
  // Each connection of each round starts with its own tokens, and one is checked.
  const tokens = connections * (options.rounds + 1) + 1;
  const wish = { ...many, root, set, names: writeFiles(root, set), secret, tokens };
  const program = await compileClient(dir);
  const bodies = writeEventBodies(path.join(dir, 'small'), 5000);
  say('starting PostgreSQL');
  const cluster = await createServer(sharedDir(`bench-${process.pid}`), ['shared_buffers = 256MB']);
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop();
    removeServer(cluster);
  };
  const startReplica = async (name: string, database: DatabaseSettings | null): Promise<Replica> => {
    const dataDir = path.join(dir, name);
    mkdirSync(dataDir);
    say(`writing ${many.events.toLocaleString('en')} events to ${name}`);
    const fixture = await fillDatabase(
      { dataDir, database, process: { name: 'bench', version: '', serves: false } },
      wish,
    );
    const args = database === null ? [dataDir] : [dataDir, database.url];
    const server = await startNodePeer(name, new URL('service-child.ts', import.meta.url), args, [
      ...serviceArguments,
      ...options.nodeArguments,
    ]);
    servers.push(server);
    if (database === null) return { server, fixture };
    return { server: withPostgres(server, cluster), fixture };
  };
  const startPeers = async (): Promise<Pick<ClusterBench, 'bugsink' | 'oidcProvider'>> => {
    say('starting Bugsink and oidc-provider');
    for (const name of ['bugsink', 'oidc']) await execute(cluster.url('postgres'), `CREATE DATABASE ${name}`);
    const bugsinkDir = path.join(dir, 'bugsink');
    mkdirSync(bugsinkDir);
    const bugsink = withPostgres(await startBugsink(bugsinkDir, cluster.url('bugsink')), cluster);
    servers.push(bugsink);
    const provider = await startOidcProvider('bench', secret, cluster.url('oidc'));
    servers.push(provider.server);
    return { bugsink, oidcProvider: { ...provider, server: withPostgres(provider.server, cluster) } };
  };
  try {
    const sqlite = await startReplica('SQLite', null);
    const postgres = await startReplica('PostgreSQL', await emptyDatabase(cluster));
    return {
      options,
      sqlite,
      postgres,
      ...(await startPeers()),
      secret,
      ...many,
      bodies,
      download: { path: `/measurements/${set.name}/files/0`, size: set.size },
      client: (server, requestPath, load) => runClient(program, { port: server.port, path: requestPath, ...load }),
      loopDelay: async () => loopDelayOf(postgres),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function emptyDatabase(cluster: PostgresServer): Promise<DatabaseSettings> {
  await execute(cluster.url('postgres'), 'CREATE DATABASE benchport');
  const url = cluster.url('benchport');
  await migratePostgres(url);
  return { url, listenUrl: null, connections: 10 };
}

/** p99 of the event loop's delay since the last call, milliseconds. */
async function loopDelayOf({ server, fixture }: Replica): Promise<number> {
  const headers = { authorization: `Bearer ${fixture.admin}` };
  const text = await (await fetch(`http://127.0.0.1:${server.port}/-/metrics`, { headers })).text();
  return Number(/^nodejs_eventloop_delay_seconds\{quantile="0\.99"\} (\S+)$/m.exec(text)?.[1] ?? Number.NaN) * 1000;
}

/** A server whose processor time includes that of its PostgreSQL. */
function withPostgres<One extends Server>(server: One, cluster: PostgresServer): One {
  const postgres = processTools(postmasterOf(cluster));
  return { ...server, cpuSeconds: () => server.cpuSeconds() + postgres.cpuSeconds() };
}

/** The first process of a PostgreSQL, the parent of the others. */
function postmasterOf({ dir }: PostgresServer): number {
  return Number(readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
}
