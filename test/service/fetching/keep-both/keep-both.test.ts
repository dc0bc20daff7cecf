import { mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fetch, FetchAction, FetchState } from '../../../../src-main/service/contract/fetches.ts';
import { asWindow } from '../../as-window.ts';
import { startTestService } from '../../start.ts';
import { useFarAndHere } from '../far-and-here.ts';

const trace = Buffer.from(Array.from({ length: 3_000_000 }, (_none, at) => (at * 7919) % 251));
const long = `${'ö'.repeat(125)}.raw`;
const pair = useFarAndHere('run', [
  { path: 'data (2).raw', bytes: 'the second' },
  { path: 'data.raw', bytes: 'new' },
  { path: 'deep/a/one.txt', bytes: 'one' },
  { path: 'deep/a/two.txt', bytes: 'two' },
  { path: long, bytes: 'long' },
  { path: 'trace.bin', bytes: trace },
]);

const local = async (method: 'GET' | 'POST', url: string, body?: object): Promise<unknown> =>
  (await asWindow(pair.here, method, `/api/v4/local/${url}`, body)).body;
const add = async (body: object = {}) =>
  (await local('POST', 'fetches', {
    server_id: pair.serverId,
    measurement_id: 'run',
    what: 'files',
    target: pair.dir,
    ...body,
  })) as Fetch;
const act = async (action: FetchAction, ids: readonly number[] | 'all') =>
  local('POST', 'fetches/actions', { action, ids });
const names = async (folder = 'run') =>
  (await readdir(path.join(pair.dir, folder), { recursive: true }))
    .filter((name) => !name.startsWith('deep/a'))
    .toSorted();
const text = async (...parts: readonly string[]) => readFile(path.join(pair.dir, ...parts), 'utf8');

/** The fetch once it has stopped. */
async function ended({ id }: Fetch, state: FetchState): Promise<Fetch> {
  await expect
    .poll(async () => ((await local('GET', `fetches/${id}`)) as Fetch).state, { timeout: 30_000 })
    .toBe(state);
  return (await local('GET', `fetches/${id}`)) as Fetch;
}

async function inTheWay(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(path.join(pair.dir, file)), { recursive: true });
    await writeFile(path.join(pair.dir, file), `mine: ${path.basename(file)}`);
  }
}

test('files are stored under free names beside what is there, also below a file in the place of a folder', async () => {
  await inTheWay('run/data.raw', 'run/deep', `run/${long}`);
  const fetch = await add();
  expect(await ended(fetch, 'failed')).toMatchObject({ reason: 'name-taken' });
  expect(await act('keep-both', [fetch.id])).toEqual({ changed: 1 });
  expect(await ended(fetch, 'done')).toMatchObject({ files_done: 6, files_total: 6 });
  expect(await text('run/data.raw')).toBe('mine: data.raw');
  expect(await text('run/deep')).toBe('mine: deep');
  // The measurement has a file of the first name that was free.
  expect(await text('run/data (2).raw')).toBe('the second');
  expect(await text('run/data (3).raw')).toBe('new');
  expect(await text('run/deep (2)/a/one.txt')).toBe('one');
  expect(await text('run/deep (2)/a/two.txt')).toBe('two');
  expect(await text('run', `${'ö'.repeat(123)} (2).raw`)).toBe('long');
  expect((await names()).join()).not.toContain('benchport-part');
  expect(await act('verify', [fetch.id])).toEqual({ changed: 1 });
  expect(await ended(fetch, 'done')).toMatchObject({ reason: null });
});

test('a link is not followed, and an action for all takes those alone whose names are taken', async () => {
  await mkdir(path.join(pair.dir, 'run'));
  await mkdir(path.join(pair.dir, 'elsewhere'));
  await symlink(path.join(pair.dir, 'elsewhere'), path.join(pair.dir, 'run/deep'));
  const [blocked, whole] = [await add(), await add({ target: await mkdtemp(path.join(pair.dir, 'other-')) })];
  await ended(whole, 'done');
  await ended(blocked, 'failed');
  expect(await act('keep-both', 'all')).toEqual({ changed: 1 });
  await ended(blocked, 'done');
  expect(await readdir(path.join(pair.dir, 'elsewhere'))).toEqual([]);
  expect(await text('run/deep (2)/a/one.txt')).toBe('one');
  expect(await act('keep-both', 'all')).toEqual({ changed: 0 });
});

test('two fetches into one folder choose different names', async () => {
  await inTheWay('run/data.raw');
  const [one, other] = [await add({ indices: [1] }), await add({ indices: [1, 2] })];
  await ended(one, 'failed');
  await ended(other, 'failed');
  await Promise.all([act('keep-both', [one.id]), act('keep-both', [other.id])]);
  await ended(one, 'done');
  await ended(other, 'done');
  expect(await names()).toEqual(['data (2).raw', 'data (3).raw', 'data.raw', 'deep']);
});

test('a name that is taken after it was chosen is not replaced, and the next one is chosen', async () => {
  await inTheWay('run/data.raw');
  const fetch = await add({ indices: [1] });
  await ended(fetch, 'failed');
  await act('pause', 'all');
  await pair.here.services.fetchFiles.rename(fetch.id, [{ idx: 1, path: 'data (2).raw' }]);
  await inTheWay('run/data (2).raw');
  await act('retry', [fetch.id]);
  expect(await ended(fetch, 'failed')).toMatchObject({ reason: 'name-taken' });
  await act('keep-both', [fetch.id]);
  await ended(fetch, 'done');
  expect([await text('run/data (2).raw'), await text('run/data (3).raw')]).toEqual(['mine: data (2).raw', 'new']);
});

test('a ZIP whose name is taken when it has come keeps its bytes, and its other name over a restart', async () => {
  const speed = { at_most: 3, connections: 2, speed_limit: 2_000_000, schedule: null, target: null };
  await asWindow(pair.here, 'PUT', '/api/v4/local/fetch-settings', speed);
  const fetch = await add({ what: 'archive' });
  await expect
    .poll(async () => ((await local('GET', `fetches/${fetch.id}`)) as Fetch).bytes_done, { interval: 10 })
    .toBeGreaterThan(0);
  await inTheWay('run/run.zip');
  expect(await ended(fetch, 'asking')).toMatchObject({ reason: 'name-taken' });
  await pair.far.stop();
  await act('keep-both', [fetch.id]);
  // Without the server the list cannot be read again, so it waits under the new name.
  await ended(fetch, 'waiting');
  await pair.here.stop();
  pair.left.push(pair.here.dir);
  pair.here = await startTestService({ dataDir: pair.here.services.config.dataDir });
  const port = Number(new URL(pair.far.url).port);
  pair.far = await startTestService({ dataDir: pair.far.services.config.dataDir, port });
  await act('resume', [fetch.id]);
  const done = await ended(fetch, 'done');
  expect(await names()).toEqual(['run (2).zip', 'run.zip']);
  expect(await text('run/run.zip')).toBe('mine: run.zip');
  const log = (await local('GET', `fetches/${fetch.id}/log`)) as readonly { readonly message: string }[];
  const lines = log.map(({ message }) => message).join('\n');
  expect(lines).toContain('Kept both: run.zip is there already, so this is stored as run (2).zip.');
  expect(lines).not.toContain('It is fetched again');
  expect(done.bytes_verified).toBe(done.bytes_total);
});

test('an archive to unpack, and a folder whose name a file has, go to a folder beside it', async () => {
  await inTheWay('run/data.raw');
  const unpacked = await add({ what: 'archive', unpack: true });
  expect(await ended(unpacked, 'asking')).toMatchObject({ reason: 'name-taken' });
  await act('keep-both', [unpacked.id]);
  expect(await ended(unpacked, 'done')).toMatchObject({ target: path.join(pair.dir, 'run (2)') });
  expect(await names('run (2)')).toEqual(['data (2).raw', 'data.raw', 'deep', 'trace.bin', long].toSorted());
  expect([await text('run/data.raw'), await text('run (2)/data.raw')]).toEqual(['mine: data.raw', 'new']);
  const parent = path.join(pair.dir, 'blocked');
  await inTheWay('blocked/run');
  const blocked = await add({ target: parent });
  expect(await ended(blocked, 'asking')).toMatchObject({ reason: 'name-taken' });
  await act('keep-both', [blocked.id]);
  await ended(blocked, 'done');
  expect(await text('blocked/run')).toBe('mine: run');
  expect(await text('blocked/run (2)/data.raw')).toBe('new');
});
