import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bodyDigest } from '../clients.ts';
import { writeFiles, type FileSet } from '../fixture/files.ts';
import { writeDatabase } from '../fixture/measurements.ts';
import type { Options, Say } from '../options.ts';
import { startNginx } from '../servers/nginx.ts';
import { startOurService, type OurService } from '../servers/our-service.ts';
import type { Server } from '../servers/server.ts';
import type { Wanted } from './fetch-clients.ts';

const mebibyte = 1024 * 1024;

/** Setup of the goals of fetching: the same files on nginx and on our service. */
export interface FetchBench {
  readonly options: Options;
  /** The folder that nginx serves. */
  readonly root: string;
  /** Target of the fetches, on the fixture's disk. */
  readonly into: string;
  readonly nginx: Server;
  /** The running service. */
  service(): OurService;
  restartService(): Promise<OurService>;
  readonly single: FileSet;
  readonly small: FileSet;
  /** SHA-256 of the one big file, hexadecimal. */
  readonly singleDigest: string;
  wanted(server: Server, set: FileSet): Wanted;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** Makes the fixture below a folder and starts both servers. */
export async function startFetchBench(dir: string, options: Options, say: Say): Promise<FetchBench> {
  const root = path.join(dir, 'root');
  const dataDir = path.join(dir, 'data');
  mkdirSync(root, { recursive: true });
  const single = { name: 'single', count: 1, size: (options.quick ? 256 : 1024) * mebibyte, sparse: false };
  const small = { name: 'small', count: 2000, size: 16 * 1024, sparse: false };
  say('writing the files and the database');
  const sets = [single, small].map((set) => ({ set, names: writeFiles(root, set) }));
  const { admin, reader } = await writeDatabase(dataDir, root, sets);
  const tokenFile = path.join(dir, 'token');
  writeFileSync(tokenFile, `${reader}\n`, { mode: 0o600 });
  say('starting the servers');
  const servers: Server[] = [];
  const startService = () => startOurService(dataDir, admin, options.nodeArguments);
  let service = await startService();
  const stop = async () => {
    for (const server of [service, ...servers]) await server.stop();
  };
  try {
    say(`our service runs from the ${service.program}`);
    for (const { set, names } of sets) await layOut(root, set, names, `http://127.0.0.1:${service.port}`, reader);
    const nginx = await startNginx(dir, root);
    servers.push(nginx);
    const digest = await bodyDigest({ port: nginx.port, path: '/measurements/single/files/0' });
    return {
      options,
      root,
      into: path.join(dir, 'into'),
      nginx,
      service: () => service,
      restartService: async () => {
        await service.stop();
        service = await startService();
        return service;
      },
      single,
      small,
      singleDigest: digest.sha256,
      wanted: (server, set) => ({
        baseUrl: `http://127.0.0.1:${server.port}`,
        measurementId: set.name,
        names: sets.find((one) => one.set === set)?.names ?? [],
        bytes: set.count * set.size,
        tokenFile,
        token: reader,
      }),
      loopDelay: () => service.loopDelay(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The measurement API as plain files for nginx: each file under its number, and the manifest as the
 * folder's index.
 */
async function layOut(
  root: string,
  set: FileSet,
  names: readonly string[],
  serviceUrl: string,
  token: string,
): Promise<void> {
  const folder = path.join(root, 'measurements', set.name, 'files');
  mkdirSync(folder, { recursive: true });
  names.forEach((name, index) => linkSync(path.join(root, set.name, name), path.join(folder, String(index))));
  const answer = await fetch(`${serviceUrl}/measurements/${set.name}/files`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(`the manifest of ${set.name} was answered with ${answer.status}`);
  writeFileSync(path.join(folder, 'index.html'), await answer.text());
}
