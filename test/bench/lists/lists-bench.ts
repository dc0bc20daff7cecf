import { statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileClient, runClient, type Load, type Run } from '../clients.ts';
import type { Options, Say } from '../options.ts';
import { startOurService, type OurService } from '../servers/our-service.ts';
import { listSizes, writeListsDatabase, type ListReaders, type ListSizes } from './lists-database.ts';

/** Setup of the goals of lists. */
export interface ListsBench {
  readonly options: Options;
  readonly sizes: ListSizes;
  readonly service: OurService;
  readonly readers: ListReaders;
  client(requestPath: string, load: Omit<Load, 'port' | 'path'>): Promise<Run>;
  /**
   * The maximum processor time of one turn of the service's event loop since the last call,
   * milliseconds.
   */
  maxHold(): Promise<number>;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** Writes the database below a folder and starts the service on it. */
export async function startListsBench(dir: string, options: Options, say: Say): Promise<ListsBench> {
  const sizes = listSizes[options.size];
  const dataDir = path.join(dir, 'data');
  const readers = writeListsDatabase(dataDir, sizes, say);
  say(`the database has ${Math.round(statSync(path.join(dataDir, 'benchport.db')).size / 1e6)} MB`);
  const program = await compileClient(dir);
  const hold = path.join(dir, 'hold.sock');
  process.env['BENCHPORT_BENCH_HOLD'] = hold;
  const preload = pathToFileURL(path.join(import.meta.dirname, 'hold.ts')).href;
  const service = await startOurService(dataDir, readers.admin, ['--import', preload, ...options.nodeArguments]);
  say(`our service runs from the ${service.program}`);
  return {
    options,
    sizes,
    service,
    readers,
    client: (requestPath, load) => runClient(program, { port: service.port, path: requestPath, ...load }),
    maxHold: () => heldAt(hold),
    loopDelay: () => service.loopDelay(),
    stop: () => service.stop(),
  };
}

function heldAt(socketPath: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get({ socketPath, path: '/' }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(Number(text)));
    });
    request.on('error', reject);
  });
}
