import { randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startStandIn, type StandIn } from '../../service/object-storage/stand-in.ts';
import { commandLine, type CommandLine, type Outcome, type ServeProcess } from '../command-line.ts';

export const mebibyte = 1024 * 1024;
export const times = {
  'large.bin': new Date('2026-03-01T08:00:00.000Z'),
  'größe \u2028 notes.txt': new Date('2026-03-01T09:30:00.000Z'),
};
const sizes = { one: 9 * mebibyte + 7, two: 300_000, three: 25 * mebibyte } as const;
export const ids = Object.keys(sizes) as (keyof typeof sizes)[];

/** A command line, and a service whose measurements of the library can move to an object storage. */
export function useLibrary() {
  const scene = {} as {
    cli: CommandLine;
    storage: StandIn;
    environment: Record<string, string>;
    served: ServeProcess;
    token: string;
  };

  const archives = new Map<
    string,
    { readonly bytes: Buffer; readonly etag: string | null; readonly manifest: string }
  >();

  const run = async (...args: string[]): Promise<Outcome> => scene.cli.run(args, '', scene.environment);

  async function get(id: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${scene.served.url}/measurements/${id}`, {
      headers: { authorization: `Bearer ${scene.token}`, ...headers },
    });
  }

  async function restart(variables: Readonly<Record<string, string>> = scene.environment): Promise<void> {
    scene.served.kill('SIGTERM');
    await scene.served.ended;
    scene.served = await scene.cli.serve([], variables);
  }

  async function isUnchanged(id: string): Promise<void> {
    const answer = await get(id);
    const { bytes, etag, manifest } = archives.get(id) ?? { bytes: Buffer.alloc(0), etag: '', manifest: '' };
    expect(await (await get(`${id}/files`)).text()).toBe(manifest);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, etag]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  }

  async function libraryFiles(): Promise<readonly string[]> {
    const entries = await readdir(path.join(scene.cli.dataDir, 'library'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async function addAlice(): Promise<void> {
    await scene.cli.ok(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
    const token = ['token', 'create', '--user', 'alice', '--name', 'bench', '--scopes', 'read_measurement,read_api'];
    scene.token = await scene.cli.ok(token);
  }

  beforeAll(async () => {
    scene.storage = await startStandIn();
    scene.environment = {
      BENCHPORT_S3_ENDPOINT: scene.storage.settings.endpoint.origin,
      BENCHPORT_S3_BUCKET: 'bench',
      BENCHPORT_S3_REGION: 'eu-lab-1',
      BENCHPORT_S3_PREFIX: 'lab',
      BENCHPORT_S3_ACCESS_KEY_ID: 'alice',
      BENCHPORT_S3_SECRET_ACCESS_KEY: 'secret',
    };
    scene.cli = await commandLine();
    scene.served = await scene.cli.serve();
    await addAlice();
    for (const id of ids) {
      const folder = path.join(scene.cli.dir, id);
      await mkdir(folder);
      await writeFile(path.join(folder, 'large.bin'), randomBytes(sizes[id]));
      await writeFile(path.join(folder, 'größe \u2028 notes.txt'), `notes of ${id}`);
      for (const [name, time] of Object.entries(times)) await utimes(path.join(folder, name), time, time);
      await scene.cli.ok(['measurement', 'register', folder, '--id', id, '--copy', '--owner', 'alice']);
      const answer = await get(id);
      const bytes = Buffer.from(await answer.arrayBuffer());
      archives.set(id, { bytes, etag: answer.headers.get('etag'), manifest: await (await get(`${id}/files`)).text() });
    }
  });
  afterAll(async () => {
    await scene.cli.end();
    await scene.storage.close();
  });

  return Object.assign(scene, { run, restart, isUnchanged, libraryFiles, get, addAlice });
}
