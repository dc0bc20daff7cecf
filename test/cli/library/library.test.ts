import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { programEntry } from '../../service/program-entry.ts';
import { expect, test, vi } from 'vitest';
import { ids, mebibyte, times, useLibrary } from './library-scene.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const scene = useLibrary();
const { run, restart, isUnchanged, libraryFiles, get, addAlice } = scene;

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
  const { status, stderr } = await scene.cli.runHere(['serve', '--port', '0'], '', { ...scene.environment, ...wrong });
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
  expect(await scene.cli.run(['library', 'move', '--to', 's3://bench/lab'])).toMatchObject({ status: 2 });
  expect(scene.storage.objects.size).toBe(0);
});

test('a move that is killed goes on where it was, while the service sends the same bytes', async () => {
  await restart();
  let puts = 0;
  scene.storage.fault = (method) => (method === 'PUT' && (puts += 1) > 2 ? 'slow' : null);
  const killer = new AbortController();
  const options = {
    env: { ...process.env, BENCHPORT_DATA: scene.cli.dataDir, ...scene.environment },
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
  scene.storage.fault = () => null;
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
  expect([...scene.storage.objects.keys()].filter((key) => key.endsWith('.zip'))).toHaveLength(3);
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
  const [key, bytes] = [...scene.storage.objects].find(
    ([name, { length }]) => name.endsWith('.zip') && length > 20 * mebibyte,
  ) ?? ['', Buffer.alloc(0)];
  const damaged = Buffer.from(bytes);
  damaged[10 * mebibyte] = (damaged[10 * mebibyte] ?? 0) ^ 1;
  scene.storage.objects.set(key, damaged);
  expect(await run('library', 'check')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('three: 1 of 2 files is unchanged; altered: large.bin') as string,
  });
  scene.storage.objects.set(key, bytes);
  expect(JSON.parse((await run('library', 'check', '--json')).stdout)).toEqual({
    checked: 3,
    wrong: [],
    removed: { checked: 0, wrong: [], left_out: 0 },
  });
});

test('what was moved comes back with the same bytes, but for what the storage has damaged', async () => {
  const found = [...scene.storage.objects].find(([name, { length }]) => name.endsWith('.zip') && length < mebibyte);
  const [key, bytes] = found ?? ['', Buffer.alloc(0)];
  const damaged = Buffer.from(bytes);
  damaged[1000] = (damaged[1000] ?? 0) ^ 1;
  scene.storage.objects.set(key, damaged);
  expect(await run('library', 'move', '--to', 'library')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^2 measurements moved/) as string,
    stderr: expect.stringContaining('two stays: ') as string,
  });
  scene.storage.objects.set(key, bytes);
  expect(JSON.parse((await run('library', 'move', '--to', 'library', '--json')).stdout)).toMatchObject({ moved: 1 });
  expect((await libraryFiles()).length).toBe(6);
  await restart({});
  for (const id of ids) await isUnchanged(id);
  expect(await scene.cli.run(['library', 'check'])).toMatchObject({ status: 0 });
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
  expect(scene.served.output().stderr).toContain('measurements lie in an object storage');
  await restart({ ...scene.environment, BENCHPORT_S3_ACCESS_KEY_ID: 'bob' });
  await expect.poll(() => scene.served.output().stderr).toContain('refuses the access key for the bucket bench (403');
  await restart();
  await isUnchanged('one');
});

test('after the loss of the database, all measurements come back from the storage', async () => {
  scene.served.kill('SIGTERM');
  await scene.served.ended;
  await rm(scene.cli.dataDir, { recursive: true });
  scene.served = await scene.cli.serve([], scene.environment);
  expect(await run('library', 'rebuild')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'one was not added: there is no user alice; name another owner with --owner',
    ) as string,
  });
  await addAlice();
  const description = [...scene.storage.objects].find(
    ([key, bytes]) => key.endsWith('.json') && bytes.includes('"id":"two"'),
  );
  const [key, bytes] = description ?? ['', Buffer.alloc(0)];
  scene.storage.objects.set(key, Buffer.from(bytes.toString().replace('large.bin', 'other.bin')));
  expect(await run('library', 'rebuild')).toMatchObject({
    status: 1,
    stdout: '2 measurements added; 0 known already.\n',
    stderr: expect.stringContaining('two was not added: its list of files is not that of its archive') as string,
  });
  expect((await get('two')).status).toBe(404);
  scene.storage.objects.set(key, bytes);
  expect(await run('library', 'rebuild', '--json')).toMatchObject({
    status: 0,
    stdout: '{"added":1,"known":2,"removed":0,"refused":[]}\n',
  });
  for (const id of ids) await isUnchanged(id);
  const { url } = scene.served;
  const answer = await fetch(`${url}/api/v4/measurements/two/errors`, {
    headers: { authorization: `Bearer ${scene.token}` },
  });
  const [began_at, ended_at] = Object.values(times).map((time) => time.toISOString());
  expect(await answer.json()).toMatchObject({ window: { began_at, ended_at } });
  expect(await run('library', 'check')).toMatchObject({ status: 0 });
});

test('a storage that does not answer is named', async () => {
  scene.storage.fault = () => 503;
  const { status, stderr } = await run('library', 'rebuild');
  expect([status, stderr]).toEqual([1, expect.stringContaining('503, SlowDown')]);
  scene.storage.fault = () => null;
});
