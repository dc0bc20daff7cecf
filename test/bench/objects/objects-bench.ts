import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { programEntry } from '../../service/program-entry.ts';
import { mustRun } from '../../service/run-program.ts';
import { serviceArguments } from '../../../src-main/shell/service/service-arguments.ts';
import { findProgram, makers, startReal, type RealStorage } from '../../service/object-storage/real-storages.ts';
import { compileClient, runClient, type Load, type Run } from '../clients.ts';
import { writeFiles, type FileSet } from '../fixture/files.ts';
import type { Options, Say } from '../options.ts';
import { startNodePeer } from '../servers/node-peer.ts';
import { loopDelayOf } from '../servers/loop-delay.ts';
import type { Server } from '../servers/server.ts';

const mebibyte = 1024 * 1024;

/** One service with measurements in its library and in a bucket of versitygw. */
export interface ObjectsBench {
  readonly options: Options;
  readonly server: Server;
  /** Bytes of the one large file. */
  readonly largeBytes: number;
  /** Sends a request to the service with a token. */
  client(path: string, load?: Omit<Load, 'port' | 'path'>): Promise<Run>;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** Measurements: `large` and `small` in the library; `large-N` and `small-N` for each round, and `hot`, in the bucket. */
export async function startObjectsBench(dir: string, options: Options, say: Say): Promise<ObjectsBench> {
  const [maker] = makers;
  const found = maker && (await findProgram(maker, true));
  if (!maker || !found) throw new Error('versitygw is needed, and Go to build it');
  const large = { name: 'large', count: 1, size: (options.quick ? 128 : 512) * mebibyte, sparse: false };
  const small = { name: 'small', count: 2000, size: 100 * 1024, sparse: false };
  const dataDir = path.join(dir, 'data');
  mkdirSync(dataDir);
  const program = await compileClient(dir);
  const storage = await startReal(maker, found);
  try {
    const token = await fill(dir, dataDir, storage, [large, small], options, say);
    const args = [dataDir, JSON.stringify(storage.settings)];
    const server = await startNodePeer('Benchport', new URL('service-child.ts', import.meta.url), args, [
      ...serviceArguments,
      ...options.nodeArguments,
    ]);
    return {
      options,
      server,
      largeBytes: large.size,
      client: (requestPath, load = {}) =>
        runClient(program, {
          port: server.port,
          path: requestPath,
          authorization: `Bearer ${token}`,
          requests: 1,
          ...load,
        }),
      loopDelay: async () => loopDelayOf(`http://127.0.0.1:${server.port}`, token),
      stop: async () => {
        await server.stop();
        await storage.stop();
      },
    };
  } catch (error) {
    await storage.stop();
    throw error;
  }
}

/** @returns a token of the owner, who is an administrator. */
async function fill(
  dir: string,
  dataDir: string,
  { settings }: RealStorage,
  sets: readonly FileSet[],
  { rounds }: Options,
  say: Say,
): Promise<string> {
  const inBucket = {
    BENCHPORT_S3_ENDPOINT: settings.endpoint.origin,
    BENCHPORT_S3_BUCKET: settings.bucket,
    BENCHPORT_S3_PREFIX: settings.prefix,
    BENCHPORT_S3_ACCESS_KEY_ID: settings.accessKeyId,
    BENCHPORT_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
  const run = async (args: readonly string[], env: Readonly<Record<string, string>>, input = ''): Promise<string> => {
    const all = [programEntry('command line'), ...args, '--data', dataDir];
    return (await mustRun(process.execPath, all, { env, input })).trim();
  };
  await run(['user', 'create', 'alice', '--admin', '--password-stdin'], {}, 'seven lamps over 9 benches\n');
  for (const set of sets) {
    say(`writing ${set.name}`);
    writeFiles(dir, set);
    const register = async (id: string, env: Readonly<Record<string, string>>) =>
      run(['measurement', 'register', path.join(dir, set.name), '--id', id, '--copy', '--owner', 'alice'], env);
    await register(set.name, {});
    for (let round = 0; round <= rounds; round += 1) await register(`${set.name}-${round}`, inBucket);
    if (set.name === 'large') await register('hot', inBucket);
  }
  return run(['token', 'create', '--user', 'alice', '--name', 'bench', '--scopes', 'api,read_measurement'], {});
}
