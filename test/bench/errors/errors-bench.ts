import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { compileClient, runClient, type Load, type Run } from '../clients.ts';
import { writeFiles } from '../fixture/files.ts';
import type { Options, Say } from '../options.ts';
import { startOurService, type OurService } from '../servers/our-service.ts';
import type { Server } from '../servers/server.ts';
import { startNodePeer } from '../servers/node-peer.ts';
import { startBugsink, type Bugsink } from './bugsink.ts';
import { writeErrorsDatabase, type ErrorsFixture } from './errors-database.ts';
import { writeEventBodies } from './event-bodies.ts';

export const connections = 8;

/**
 * Setup of the goals of error tracking: our service and Bugsink both run, but only one works at a
 * time.
 */
export interface ErrorsBench {
  readonly options: Options;
  readonly fixture: ErrorsFixture;
  readonly dataDir: string;
  /** The program that runs as our service. */
  readonly program: string;
  readonly bugsink: Bugsink;
  /** A server that only inflates and parses. */
  readonly parser: Server;
  /** Compressed envelopes whose event has 50 KB, and 5 KB. */
  readonly large: readonly string[];
  readonly small: readonly string[];
  readonly many: { readonly events: number; readonly errors: number };
  /** The address of a big file of our service. */
  readonly download: { readonly path: string; readonly size: number };
  service(): OurService;
  /** Starts a fresh process, so that the limits per sender are unused. */
  restartService(): Promise<OurService>;
  stopService(): Promise<void>;
  client(server: Server, path: string, load: Omit<Load, 'port' | 'path'>): Promise<Run>;
  /**
   * The delay of our event loop since the last call, p99 in milliseconds; 0 while the service does
   * not run.
   */
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** Writes the fixtures below a folder and starts both. */
export async function startErrorsBench(dir: string, options: Options, say: Say): Promise<ErrorsBench> {
  const root = path.join(dir, 'root');
  const dataDir = path.join(dir, 'data');
  mkdirSync(root, { recursive: true });
  const set = { name: 'single', count: 1, size: (options.quick ? 256 : 1024) * 2 ** 20, sparse: true };
  const many = options.quick ? { events: 50_000, errors: 2000 } : { events: 1_000_000, errors: 10_000 };
  say(`writing the files and a database of ${many.events.toLocaleString('en')} events`);
  const fixture = await writeErrorsDatabase(dataDir, { ...many, root, set, names: writeFiles(root, set) });
  say(`the database has ${Math.round(statSync(path.join(dataDir, 'benchport.db')).size / 1e6)} MB`);
  const program = await compileClient(dir);
  const large = writeEventBodies(path.join(dir, 'large'), 50_000);
  const small = writeEventBodies(path.join(dir, 'small'), 5000);
  say('starting the servers');
  const bugsink = await startBugsink(path.join(dir, 'bugsink'));
  const parser = await startNodePeer(
    'inflate and parse',
    new URL('../peers/inflate-and-parse.ts', import.meta.url),
    [],
  );
  const stopPeers = async () => Promise.all([bugsink.stop(), parser.stop()]);
  let service: OurService | null = null;
  const started = async () => {
    service = await startOurService(dataDir, fixture.admin, options.nodeArguments);
    return service;
  };
  const stopService = async () => {
    await service?.stop();
    service = null;
  };
  let ours: string;
  try {
    ours = (await started()).program;
    say(`our service runs from the ${ours}`);
  } catch (error) {
    await stopPeers();
    throw error;
  }
  return {
    options,
    fixture,
    dataDir,
    program: ours,
    bugsink,
    parser,
    large,
    small,
    many,
    download: { path: `/measurements/${set.name}/files/0`, size: set.size },
    service: () => {
      if (!service) throw new Error('the service has been stopped');
      return service;
    },
    restartService: async () => {
      await stopService();
      return started();
    },
    stopService,
    client: (server, requestPath, load) => runClient(program, { port: server.port, path: requestPath, ...load }),
    loopDelay: async () => service?.loopDelay() ?? 0,
    stop: async () => {
      await stopService();
      await stopPeers();
    },
  };
}
