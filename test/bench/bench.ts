import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { bodyDigest, compileClient, runClient, type Load, type Run } from './clients.ts';
import { fixtureSizes, writeFiles, type FixtureSizes } from './fixture/files.ts';
import { writeDatabase, type Credentials } from './fixture/measurements.ts';
import type { Options, Say } from './options.ts';
import { startNginx, type Nginx } from './servers/nginx.ts';
import { startNodePeer } from './servers/node-peer.ts';
import { startOurService, type OurService } from './servers/our-service.ts';
import type { Server } from './servers/server.ts';

/** Setup of the goals: the fixture, and all servers running, of which one works at a time. */
export interface Bench {
  readonly options: Options;
  /** The folder that nginx and the peers serve; its folders are the measurements of our service. */
  readonly root: string;
  readonly sizes: FixtureSizes;
  readonly nginx: Nginx;
  readonly fastifyStatic: Server;
  readonly archiver: Server;
  readonly yazl: Server;
  /** The running service; memory is measured in fresh ones. */
  service(): OurService;
  restartService(): Promise<OurService>;
  /**
   * The maximum p99 of the event loop's delay since the last call, of all services that ran
   * meanwhile, milliseconds.
   */
  loopDelay(): Promise<number>;
  /** `Authorization` of a user who reads by a grant. */
  readonly authorization: string;
  client(server: Server, path: string, load?: Omit<Load, 'port' | 'path' | 'authorization'>): Promise<Run>;
  /** Fetches the same body from every server and compares length and SHA-256 with the first's. */
  verifySame(bodies: readonly { readonly server: Server; readonly path: string }[], range?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Makes the fixture below a folder and starts all servers. */
export async function startBench(dir: string, options: Options, say: Say): Promise<Bench> {
  const root = path.join(dir, 'root');
  const dataDir = path.join(dir, 'data');
  mkdirSync(path.join(root, 'ready'), { recursive: true });
  const sizes = fixtureSizes(options.quick);
  say('writing the files');
  const sets = [sizes.single, sizes.zipSmall, sizes.zipLarge, sizes.many, sizes.huge].map((set) => ({
    set,
    names: writeFiles(root, set),
  }));
  say('writing the database');
  const credentials: Credentials = await writeDatabase(dataDir, root, sets);
  const program = await compileClient(dir);
  say('starting the servers');
  const peer = (file: string) => new URL(`peers/${file}`, import.meta.url);
  const servers: Server[] = [];
  const started = <T extends Server>(server: T): T => {
    servers.push(server);
    return server;
  };
  try {
    const nginx = started(await startNginx(dir, root));
    const fastifyStatic = started(await startNodePeer('@fastify/static', peer('static.ts'), [root]));
    const archiver = started(await startNodePeer('archiver', peer('archiver.ts'), [root]));
    const yazl = started(await startNodePeer('yazl', peer('yazl.ts'), [root]));
    const startService = () => startOurService(dataDir, credentials.admin, options.nodeArguments);
    let service = await startService();
    say(`our service runs from the ${service.program}`);
    let delayBefore = 0;
    const authorization = `Bearer ${credentials.reader}`;
    return {
      options,
      root,
      sizes,
      nginx,
      fastifyStatic,
      archiver,
      yazl,
      authorization,
      service: () => service,
      restartService: async () => {
        delayBefore = Math.max(delayBefore, await service.loopDelay());
        await service.stop();
        service = await startService();
        return service;
      },
      loopDelay: async () => {
        const worst = Math.max(delayBefore, await service.loopDelay());
        delayBefore = 0;
        return worst;
      },
      client: (server, requestPath, load = {}) =>
        runClient(program, { port: server.port, path: requestPath, authorization, ...load }),
      verifySame: async (bodies, range) => {
        const found = [];
        for (const { server, path: requestPath } of bodies)
          found.push(await bodyDigest({ port: server.port, path: requestPath, authorization }, range));
        if (new Set(found.map((one) => `${one.status} ${one.bytes} ${one.sha256}`)).size > 1) {
          const seen = found.map(
            (one, at) =>
              `${bodies[at]?.server.name} ${bodies[at]?.path}: ${one.status}, ${one.bytes} bytes, ${one.sha256.slice(0, 12)}`,
          );
          throw new Error(`The servers do not send the same bytes.\n${seen.join('\n')}`);
        }
      },
      stop: async () => {
        for (const server of [service, ...servers]) await server.stop();
      },
    };
  } catch (error) {
    for (const server of servers) await server.stop();
    throw error;
  }
}
