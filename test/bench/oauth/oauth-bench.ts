import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startDoorkeeper } from '../../clients/doorkeeper/start-doorkeeper.ts';
import { compileClient, runClient, type Load, type Run } from '../clients.ts';
import { writeFiles } from '../fixture/files.ts';
import type { Options, Say } from '../options.ts';
import { startOidcProvider } from '../peers/start-oidc-provider.ts';
import { startOurService, type OurService } from '../servers/our-service.ts';
import { processTools, type Server } from '../servers/server.ts';
import { password, writeOAuthDatabase, type OurFixture } from './oauth-database.ts';
import type { OAuthServer, Tokens } from './oauth-server.ts';

export const connections = 8;

/** Setup of the goals of the OAuth provider: all providers run, but only one works at a time. */
export interface OAuthBench {
  readonly options: Options;
  readonly service: OurService;
  readonly fixture: OurFixture;
  readonly ours: OAuthServer;
  readonly oidcProvider: OAuthServer;
  readonly doorkeeper: OAuthServer;
  /** The address of a big file of our service, and its `Authorization`. */
  readonly download: { readonly path: string; readonly size: number; readonly authorization: string };
  client(server: Server, path: string, load: Omit<Load, 'port' | 'path'>): Promise<Run>;
  /** The delay of our event loop since the last call, p99 in milliseconds. */
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** Writes the fixtures below a folder and starts the three providers. */
export async function startOAuthBench(dir: string, options: Options, say: Say): Promise<OAuthBench> {
  const root = path.join(dir, 'root');
  const dataDir = path.join(dir, 'data');
  mkdirSync(root, { recursive: true });
  const set = { name: 'single', count: 1, size: (options.quick ? 256 : 1024) * 2 ** 20, sparse: true };
  const secret = randomBytes(32).toString('hex');
  // Each connection of each round starts with its own tokens, and one is checked.
  const tokens = connections * (options.rounds + 1) + 1;
  say('writing the files and the database');
  const wish = { secret, tokens, people: 200, set, names: writeFiles(root, set) };
  const fixture = await writeOAuthDatabase(dataDir, root, wish);
  const program = await compileClient(dir);
  say('starting the servers');
  const servers: Server[] = [];
  const started = <One extends { readonly server: Server }>(one: One): One => {
    servers.push(one.server);
    return one;
  };
  try {
    const service = await startOurService(dataDir, fixture.admin, options.nodeArguments);
    const ours = started({
      server: service,
      clientId: fixture.clientId,
      secret,
      tokenPath: '/oauth/token',
      introspectionPath: '/oauth/introspect',
      newTokens: outOf(fixture.tokens),
    });
    say(`our service runs from the ${service.program}`);
    const oidcProvider = started(await startOidcProvider(fixture.clientId, secret));
    const doorkeeper = started(await startDoorkeeperServer(path.join(dir, 'doorkeeper.db'), tokens));
    return {
      options,
      service,
      fixture,
      ours,
      oidcProvider,
      doorkeeper,
      download: {
        path: `/measurements/${set.name}/files/0`,
        size: set.size,
        authorization: `Bearer ${fixture.reader}`,
      },
      client: (server, requestPath, load) => runClient(program, { port: server.port, path: requestPath, ...load }),
      loopDelay: () => service.loopDelay(),
      stop: async () => {
        for (const server of servers) await server.stop();
      },
    };
  } catch (error) {
    for (const server of servers) await server.stop();
    throw error;
  }
}

/** Hands out each prepared token once. */
function outOf(tokens: readonly Tokens[]): OAuthServer['newTokens'] {
  let given = 0;
  return async (count) => {
    given += count;
    if (given > tokens.length) throw new Error('there are no more tokens');
    return tokens.slice(given - count, given);
  };
}

async function startDoorkeeperServer(database: string, count: number): Promise<OAuthServer> {
  const doorkeeper = await startDoorkeeper({
    database,
    users: [{ username: 'bob', password }],
    applications: [
      { name: 'bench', redirect_uri: 'https://app.example.com/callback', scopes: 'api', confidential: true },
    ],
    tokens: count,
  });
  const application = doorkeeper.applications['bench'];
  if (!application) throw new Error('Doorkeeper did not register the application');
  const server = {
    name: 'Doorkeeper',
    port: doorkeeper.port,
    ...processTools(doorkeeper.pid),
    stop: () => doorkeeper.stop(),
  };
  return {
    server,
    ...application,
    tokenPath: '/oauth/token',
    introspectionPath: '/oauth/introspect',
    newTokens: outOf(doorkeeper.tokens),
  };
}
