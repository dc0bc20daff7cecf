import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { S3Client } from '../../../src-main/service/object-storage/s3-client.ts';
import type { S3Settings } from '../../../src-main/service/object-storage/s3-settings.ts';
import { freePort } from '../../free-port.ts';

/** A storage that somebody else wrote, in a process of its own. */
export interface RealStorage {
  readonly settings: S3Settings;
  /** The folder whose files are the objects. */
  readonly folder: string;
  /** Stops the process, which then hangs, or lets it go on. */
  hang(isHanging: boolean): void;
  /** Kills the process and starts another one on its folder and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Maker {
  readonly name: string;
  /** Go module with its version. */
  readonly module: string;
  readonly program: string;
  readonly args: (folder: string, port: number, settings: S3Settings) => readonly string[];
}

export const makers: readonly Maker[] = [
  {
    name: 'versitygw',
    module: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
    program: 'versitygw',
    args: (folder, port, { accessKeyId, secretAccessKey, region }) => [
      '--port',
      `127.0.0.1:${port}`,
      '--access',
      accessKeyId,
      '--secret',
      secretAccessKey,
      '--region',
      region,
      '--quiet',
      '--keep-alive',
      'posix',
      '--sidecar',
      path.join(folder, '../meta'),
      folder,
    ],
  },
  {
    name: 'rclone',
    module: 'github.com/rclone/rclone@v1.76.0',
    program: 'rclone',
    args: (folder, port, { accessKeyId, secretAccessKey }) => [
      'serve',
      's3',
      '--addr',
      `127.0.0.1:${port}`,
      '--auth-key',
      `${accessKeyId},${secretAccessKey}`,
      '--vfs-cache-mode',
      'writes',
      '--config',
      '/dev/null',
      '--vfs-write-back',
      '0',
      folder,
    ],
  },
];

/**
 * Finds a program, on the path or where it was built once.
 *
 * @param build whether to build it where there is Go, which takes up to three minutes.
 * @returns null where it is not to be had.
 */
export async function findProgram({ program, module }: Maker, build: boolean): Promise<string | null> {
  const bin = path.join(os.homedir(), '.cache/benchport-dev', module.slice(module.lastIndexOf('/') + 1));
  const built = path.join(bin, program);
  if (existsSync(built)) return built;
  if (!build) return null;
  try {
    await promisify(execFile)('go', ['install', module], { env: { ...process.env, GOBIN: bin }, timeout: 600_000 });
    return built;
  } catch (error) {
    process.stderr.write(`${program} could not be built, and is not tested: ${String(error).slice(0, 300)}\n`);
    return null;
  }
}

/** Starts a storage with an empty bucket. */
export async function startReal(maker: Maker, program: string): Promise<RealStorage> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'benchport-storage-'));
  const folder = path.join(home, 'data');
  await mkdir(path.join(home, 'meta'));
  await mkdir(folder);
  const port = await freePort();
  const settings: S3Settings = {
    endpoint: new URL(`http://127.0.0.1:${port}`),
    region: 'us-east-1',
    bucket: 'bench',
    prefix: 'lab/',
    accessKeyId: 'alice',
    secretAccessKey: 'a-secret-of-this-test',
    pathStyle: true,
    ca: null,
    graceMs: 3600_000,
  };
  const start = () => spawn(program, maker.args(folder, port, settings), { stdio: 'ignore' });
  let child = start();
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  await createBucket(settings);
  return {
    settings,
    folder: path.join(folder, settings.bucket),
    hang: (isHanging) => void child.kill(isHanging ? 'SIGSTOP' : 'SIGCONT'),
    restart: async () => {
      await kill();
      child = start();
      await createBucket(settings);
    },
    stop: async () => {
      await kill();
      await rm(home, { recursive: true });
    },
  };
}

/** Also waits until the storage accepts connections. */
async function createBucket(settings: S3Settings): Promise<void> {
  const client = new S3Client({ ...settings, prefix: '' }, { connectMs: 2000, idleMs: 10_000 });
  const deadline = AbortSignal.timeout(30_000);
  try {
    while (!deadline.aborted) {
      const answer = await client.send({ method: 'PUT', key: '' }, deadline, [409]).catch(() => null);
      if (answer) return;
    }
    throw new Error('the storage does not answer');
  } finally {
    client.close();
  }
}
