import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { programEntry } from '../service/program-entry.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startStandIn, type StandIn } from '../service/object-storage/stand-in.ts';
import { commandLine, type CommandLine, type Outcome, type ServeProcess } from './command-line.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const mebibyte = 1024 * 1024;
const times = {
  'large.bin': new Date('2026-03-01T08:00:00.000Z'),
  'größe \u2028 notes.txt': new Date('2026-03-01T09:30:00.000Z'),
};
let cli: CommandLine;
let storage: StandIn;
let environment: Record<string, string>;
let served: ServeProcess;
let token: string;
const sizes = { one: 9 * mebibyte + 7, two: 300_000, three: 25 * mebibyte } as const;
const ids = Object.keys(sizes) as (keyof typeof sizes)[];
const archives = new Map<string, { readonly bytes: Buffer; readonly etag: string | null; readonly manifest: string }>();

const run = async (...args: string[]): Promise<Outcome> => cli.run(args, '', environment);

async function get(id: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${served.url}/measurements/${id}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
}

async function restart(variables: Readonly<Record<string, string>> = environment): Promise<void> {
  served.kill('SIGTERM');
  await served.ended;
  served = await cli.serve([], variables);
}

async function isUnchanged(id: string): Promise<void> {
  const answer = await get(id);
  const { bytes, etag, manifest } = archives.get(id) ?? { bytes: Buffer.alloc(0), etag: '', manifest: '' };
  expect(await (await get(`${id}/files`)).text()).toBe(manifest);
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, etag]);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
}

async function libraryFiles(): Promise<readonly string[]> {
  const entries = await readdir(path.join(cli.dataDir, 'library'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

beforeAll(async () => {
  storage = await startStandIn();
  environment = {
    BENCHPORT_S3_ENDPOINT: storage.settings.endpoint.origin,
    BENCHPORT_S3_BUCKET: 'bench',
    BENCHPORT_S3_REGION: 'eu-lab-1',
    BENCHPORT_S3_PREFIX: 'lab',
    BENCHPORT_S3_ACCESS_KEY_ID: 'alice',
    BENCHPORT_S3_SECRET_ACCESS_KEY: 'secret',
  };
  cli = await commandLine();
  served = await cli.serve();
  await cli.ok(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
  token = await cli.ok([
    'token',
    'create',
    '--user',
    'alice',
    '--name',
    'bench',
    '--scopes',
    'read_measurement,read_api',
  ]);
  for (const id of ids) {
    const folder = path.join(cli.dir, id);
    await mkdir(folder);
    await writeFile(path.join(folder, 'large.bin'), randomBytes(sizes[id]));
    await writeFile(path.join(folder, 'größe \u2028 notes.txt'), `notes of ${id}`);
    for (const [name, time] of Object.entries(times)) await utimes(path.join(folder, name), time, time);
    await cli.ok(['measurement', 'register', folder, '--id', id, '--copy', '--owner', 'alice']);
    const answer = await get(id);
    const bytes = Buffer.from(await answer.arrayBuffer());
    archives.set(id, { bytes, etag: answer.headers.get('etag'), manifest: await (await get(`${id}/files`)).text() });
  }
});
afterAll(async () => {
  await cli.end();
  await storage.close();
});

test.each([
  [{ BENCHPORT_S3_BUCKET: '' }, 'BENCHPORT_S3_ENDPOINT is set without BENCHPORT_S3_BUCKET'],
  [{ BENCHPORT_S3_BUCKET: 'No Bucket' }, 'BENCHPORT_S3_BUCKET cannot be used'],
  [{ BENCHPORT_S3_ENDPOINT: '' }, 'set BENCHPORT_S3_ENDPOINT too'],
  [{ BENCHPORT_S3_ENDPOINT: 'https://alice:key@s3.example' }, 'BENCHPORT_S3_ENDPOINT cannot be used'],
  [{ BENCHPORT_S3_SECRET_ACCESS_KEY: '' }, 'set BENCHPORT_S3_SECRET_ACCESS_KEY or BENCHPORT_S3_SECRET_ACCESS_KEY_FILE'],
  [{ BENCHPORT_S3_PREFIX: '../up' }, 'BENCHPORT_S3_PREFIX cannot be used'],
  [{ BENCHPORT_S3_PATH_STYLE: 'yes' }, 'BENCHPORT_S3_PATH_STYLE cannot be used'],
  [{ BENCHPORT_S3_GRACE: '1 week' }, 'BENCHPORT_S3_GRACE cannot be used'],

  [{ BENCHPORT_CACHE_BYTES: '1000' }, 'BENCHPORT_CACHE_BYTES cannot be used'],
])('with %j it does not start', async (wrong, text) => {
  const { status, stderr } = await cli.runHere(['serve', '--port', '0'], '', { ...environment, ...wrong });
  expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
  expect(stderr).not.toMatch(/alice:key|secret\b/);
});

test('nothing moves to a storage that nobody serves, or that is another one', async () => {
  expect(await run('library', 'move', '--to', 's3://bench/lab')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('The service was not started with s3://bench/lab/ yet.') as string,
  });
  expect(await run('library', 'move', '--to', 's3://other')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('name s3://bench/lab/, and not s3://other') as string,
  });
  expect(await cli.run(['library', 'move', '--to', 's3://bench/lab'])).toMatchObject({ status: 2 });
  expect(storage.objects.size).toBe(0);
});

test('a move that is killed goes on where it was, while the service sends the same bytes', async () => {
  await restart();
  let puts = 0;
  storage.fault = (method) => (method === 'PUT' && (puts += 1) > 2 ? 'slow' : null);
  const killer = new AbortController();
  const options = {
    env: { ...process.env, BENCHPORT_DATA: cli.dataDir, ...environment },
    killSignal: 'SIGKILL',
    signal: killer.signal,
  } as const;
  const killed = promisify(execFile)(
    process.execPath,
    [programEntry('command line'), 'library', 'move', '--to', 's3://bench/lab'],
    options,
  ).catch(() => null);
  await expect.poll(() => puts, { timeout: 30_000 }).toBeGreaterThan(1);
  killer.abort();
  await killed;
  storage.fault = () => null;
  let downloads = 0;
  const moving = new AbortController();
  const reader = (async () => {
    while (!moving.signal.aborted) {
      for (const id of ids) await isUnchanged(id);
      downloads += 1;
    }
  })();
  const moved = await run('library', 'move', '--to', 's3://bench/lab/', '--json');
  moving.abort();
  await reader;
  expect(moved.stderr).toBe('');
  expect(JSON.parse(moved.stdout)).toMatchObject({ left: [] });
  expect(downloads).toBeGreaterThan(2);
  expect(await libraryFiles()).toEqual([]);
  expect([...storage.objects.keys()].filter((key) => key.endsWith('.zip'))).toHaveLength(3);
  for (const id of ids) await isUnchanged(id);
  expect(JSON.parse((await run('library', 'move', '--to', 's3://bench/lab', '--json')).stdout)).toMatchObject({
    moved: 0,
  });
});

test('a check finds one bit that changed', async () => {
  expect(await run('library', 'check')).toMatchObject({
    status: 0,
    stdout: '3 measurements verified; all files are unchanged\n',
  });
  const [key, bytes] = [...storage.objects].find(
    ([name, { length }]) => name.endsWith('.zip') && length > 20 * mebibyte,
  ) ?? ['', Buffer.alloc(0)];
  const damaged = Buffer.from(bytes);
  damaged[10 * mebibyte] = (damaged[10 * mebibyte] ?? 0) ^ 1;
  storage.objects.set(key, damaged);
  expect(await run('library', 'check')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('three: 1 of 2 files is unchanged; altered: large.bin') as string,
  });
  storage.objects.set(key, bytes);
  expect(JSON.parse((await run('library', 'check', '--json')).stdout)).toEqual({
    checked: 3,
    wrong: [],
    removed: { checked: 0, wrong: [], left_out: 0 },
  });
});

test('what was moved comes back with the same bytes, but for what the storage has damaged', async () => {
  const found = [...storage.objects].find(([name, { length }]) => name.endsWith('.zip') && length < mebibyte);
  const [key, bytes] = found ?? ['', Buffer.alloc(0)];
  const damaged = Buffer.from(bytes);
  damaged[1000] = (damaged[1000] ?? 0) ^ 1;
  storage.objects.set(key, damaged);
  expect(await run('library', 'move', '--to', 'library')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^2 measurements moved/) as string,
    stderr: expect.stringContaining('two stays: ') as string,
  });
  storage.objects.set(key, bytes);
  expect(JSON.parse((await run('library', 'move', '--to', 'library', '--json')).stdout)).toMatchObject({ moved: 1 });
  expect((await libraryFiles()).length).toBe(6);
  await restart({});
  for (const id of ids) await isUnchanged(id);
  expect(await cli.run(['library', 'check'])).toMatchObject({ status: 0 });
  await restart();
  expect(JSON.parse((await run('library', 'move', '--to', 's3://bench/lab', '--json')).stdout)).toMatchObject({
    moved: 3,
  });
  expect(await libraryFiles()).toEqual([]);
  for (const id of ids) await isUnchanged(id);
});

test('a service without the storage says that it is not set up for it', async () => {
  await restart({});
  const answer = await get('one');
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { type: 'urn:benchport:problem:storage-unavailable' },
  ]);
  expect(served.output().stderr).toContain('measurements lie in an object storage');
  await restart({ ...environment, BENCHPORT_S3_ACCESS_KEY_ID: 'bob' });
  await expect.poll(() => served.output().stderr).toContain('refuses the access key for the bucket bench (403');
  await restart();
  await isUnchanged('one');
});

test('after the loss of the database, all measurements come back from the storage', async () => {
  served.kill('SIGTERM');
  await served.ended;
  await rm(cli.dataDir, { recursive: true });
  served = await cli.serve([], environment);
  expect(await run('library', 'rebuild')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'one was not added: there is no user alice; name another owner with --owner',
    ) as string,
  });
  await cli.ok(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
  token = await cli.ok([
    'token',
    'create',
    '--user',
    'alice',
    '--name',
    'bench',
    '--scopes',
    'read_measurement,read_api',
  ]);
  const description = [...storage.objects].find(
    ([key, bytes]) => key.endsWith('.json') && bytes.includes('"id":"two"'),
  );
  const [key, bytes] = description ?? ['', Buffer.alloc(0)];
  storage.objects.set(key, Buffer.from(bytes.toString().replace('large.bin', 'other.bin')));
  expect(await run('library', 'rebuild')).toMatchObject({
    status: 1,
    stdout: '2 measurements added; 0 known already.\n',
    stderr: expect.stringContaining('two was not added: its list of files is not that of its archive') as string,
  });
  expect((await get('two')).status).toBe(404);
  storage.objects.set(key, bytes);
  expect(await run('library', 'rebuild', '--json')).toMatchObject({
    status: 0,
    stdout: '{"added":1,"known":2,"removed":0,"refused":[]}\n',
  });
  for (const id of ids) await isUnchanged(id);
  const { url } = served;
  const answer = await fetch(`${url}/api/v4/measurements/two/errors`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [began_at, ended_at] = Object.values(times).map((time) => time.toISOString());
  expect(await answer.json()).toMatchObject({ window: { began_at, ended_at } });
  expect(await run('library', 'check')).toMatchObject({ status: 0 });
});

test('a storage that does not answer is named', async () => {
  storage.fault = () => 503;
  const { status, stderr } = await run('library', 'rebuild');
  expect([status, stderr]).toEqual([1, expect.stringContaining('503, SlowDown')]);
  storage.fault = () => null;
});
