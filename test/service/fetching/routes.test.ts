import { hash } from 'node:crypto';
import { appendFile, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type {
  Fetch,
  FetchFilePage,
  FetchLogLine,
  FetchPieces,
  FetchState,
} from '../../../src-main/service/contract/fetches.ts';
import { asWindow } from '../as-window.ts';
import { startTestService } from '../start.ts';
import { note, trace, useFetches } from './fetch-scene.ts';

const scene = useFetches();
const { get, add, act, left } = scene;

async function becomes(id: number, ...states: readonly FetchState[]): Promise<Fetch> {
  for (;;) {
    const fetch = await get<Fetch>(`fetches/${id}`);
    if (states.includes(fetch.state)) return fetch;
    if (['done', 'failed', 'cancelled', 'asking'].includes(fetch.state))
      throw new Error(`fetch ${id} is ${fetch.state}: ${fetch.message}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Takes long enough to be caught on the way. */
async function slowly(): Promise<void> {
  await asWindow(scene.here, 'PUT', '/api/v4/local/fetch-settings', {
    at_most: 3,
    connections: 2,
    speed_limit: 1_000_000,
    schedule: null,
    target: null,
  });
}

test('a measurement comes whole, is shown, dragged out, verified, and forgotten without its files', async () => {
  const { id } = await add({ title: 'Run 1' });
  const fetch = await becomes(id, 'done');
  expect(fetch).toMatchObject({
    server_name: 'Lab',
    files_done: 3,
    files_total: 3,
    bytes_total: 3_000_007,
    bytes_done: 3_000_007,
    bytes_verified: 3_000_007,
  });
  const target = path.join(scene.dir, 'run-1');
  expect(fetch.target).toBe(target);
  expect(await readFile(path.join(target, 'note.txt'), 'utf8')).toBe(note);
  expect(hash('sha256', await readFile(path.join(target, 'raw/trace.bin')))).toBe(hash('sha256', trace));
  expect((await readdir(target, { recursive: true })).toSorted()).toEqual([
    'note.txt',
    'raw',
    'raw/empty.dat',
    'raw/trace.bin',
  ]);

  const files = await get<FetchFilePage>(`fetches/${id}/files?filter=done&offset=1&limit=2`);
  expect(files).toMatchObject({
    total: 3,
    items: [
      { index: 1, path: 'raw/empty.dat', state: 'done' },
      { index: 2, bytes_done: 3_000_000, skipped: false },
    ],
  });
  expect(await get<FetchPieces>(`fetches/${id}/files/2/pieces`)).toEqual({
    path: 'raw/trace.bin',
    length: 3_000_000,
    done: [[0, 3_000_000]],
    coming: [],
    verified: true,
  });
  expect((await get<FetchLogLine[]>(`fetches/${id}/log`)).map(({ message }) => message)).toContain(
    'Done: 3 files, 2.9 MiB, all verified.',
  );
  const stage = (body: object) => asWindow(scene.here, 'POST', `/api/v4/local/fetches/${id}/stage`, body);
  expect((await stage({})).body).toEqual({ path: target, job: null });
  expect((await stage({ index: 0 })).body).toEqual({ path: path.join(target, 'note.txt'), job: null });
  expect((await stage({ index: 9 })).status).toBe(404);

  expect(await act('verify', [id])).toEqual({ changed: 1 });
  expect(Date.parse((await becomes(id, 'done')).verified_at ?? '')).toBeGreaterThanOrEqual(
    Date.parse(fetch.verified_at ?? ''),
  );
  await writeFile(path.join(target, 'note.txt'), 'a lie!\n');
  await act('verify', [id]);
  let now = await get<Fetch>(`fetches/${id}`);
  while (now.state === 'queued' || now.state === 'running') now = await get<Fetch>(`fetches/${id}`);
  expect(now).toMatchObject({ state: 'failed', reason: 'files-failed', files_done: 2 });
  expect(await get<FetchFilePage>(`fetches/${id}/files?filter=failed`)).toMatchObject({
    total: 1,
    items: [{ path: 'note.txt', message: expect.any(String) }],
  });

  await rm(path.join(target, 'note.txt'));
  await act('retry', [id]);
  await becomes(id, 'done');
  expect(await readFile(path.join(target, 'note.txt'), 'utf8')).toBe(note);
  expect(await act('remove', [id])).toEqual({ changed: 1 });
  expect((await asWindow(scene.here, 'GET', `/api/v4/local/fetches/${id}`)).status).toBe(404);
  expect(await readFile(path.join(target, 'note.txt'), 'utf8')).toBe(note);
});

test('what is dragged out is what was fetched: not another file, a link in its place, or a folder that has gone', async () => {
  const { id } = await add({ indices: [0, 2] });
  await becomes(id, 'done');
  const [target, file] = [path.join(scene.dir, 'run-1'), path.join(scene.dir, 'run-1/note.txt')];
  const stage = async (body: object) => {
    const answer = await asWindow(scene.here, 'POST', `/api/v4/local/fetches/${id}/stage`, body);
    return [answer.status, (answer.body as { type?: string }).type?.split(':').at(-1)];
  };
  await appendFile(file, 'and more');
  expect(await stage({ index: 0 })).toEqual([409, 'file-changed']);
  await rm(file);
  expect(await stage({ index: 0 })).toEqual([404, 'file-missing']);
  // A link to something as long as what was fetched.
  await writeFile(path.join(scene.dir, 'secret'), 'a note\n');
  await symlink(path.join(scene.dir, 'secret'), file);
  expect(await stage({ index: 0 })).toEqual([409, 'file-changed']);
  expect(await stage({ index: 2 })).toEqual([200, undefined]);
  await rename(target, `${target}-moved`);
  expect(await stage({})).toEqual([404, 'file-missing']);
  await symlink(`${target}-moved`, target);
  expect(await stage({})).toEqual([409, 'file-changed']);
});

test('chosen files, an archive, and an archive that is unpacked', async () => {
  const some = await add({ indices: [2, 0] });
  await becomes(some.id, 'done');
  expect((await readdir(path.join(scene.dir, 'run-1'), { recursive: true })).toSorted()).toEqual([
    'note.txt',
    'raw',
    'raw/trace.bin',
  ]);
  for (const unpack of [false, true]) {
    const target = path.join(scene.dir, `archive-${unpack}`);
    await mkdir(target);
    const { id } = await add({ what: 'archive', unpack, target });
    await becomes(id, 'done');
    const names = await readdir(path.join(target, 'run-1'), { recursive: true });
    expect(names.toSorted()).toEqual(unpack ? ['note.txt', 'raw', 'raw/empty.dat', 'raw/trace.bin'] : ['run-1.zip']);
  }
});

test('an archive that has come is not called verified, and not dragged out, before its members are proven', async () => {
  await slowly();
  const { id, target } = await add({ what: 'archive' });
  while ((await becomes(id, 'queued', 'running')).bytes_done === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await mkdir(path.join(target, 'run-1.zip'));
  let fetch = await get<Fetch>(`fetches/${id}`);
  for (; fetch.state !== 'asking'; fetch = await get<Fetch>(`fetches/${id}`))
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(fetch).toMatchObject({
    reason: 'name-taken',
    bytes_done: fetch.bytes_total,
    bytes_verified: 0,
    verified_at: null,
  });
  const whole = [[0, fetch.bytes_total]];
  expect(await get<FetchPieces>(`fetches/${id}/files/0/pieces`)).toMatchObject({ done: whole, verified: false });
  expect(await asWindow(scene.here, 'POST', `/api/v4/local/fetches/${id}/stage`, {})).toMatchObject({
    status: 409,
    body: { type: expect.stringContaining('not-whole') as string },
  });
  await rm(path.join(target, 'run-1.zip'), { recursive: true });
  await act('resume', [id]);
  expect(await becomes(id, 'done')).toMatchObject({ bytes_done: fetch.bytes_total, bytes_verified: fetch.bytes_total });
  expect(await get<FetchPieces>(`fetches/${id}/files/0/pieces`)).toMatchObject({ done: whole, verified: true });
});

test('a restart of the service goes on where it was, a pause keeps what has come, a cancellation leaves nothing', async () => {
  await slowly();
  const { id } = await add({ indices: [2] });
  const coming = async () => {
    for (let fetch = await becomes(id, 'running'); ; fetch = await becomes(id, 'running'))
      if (fetch.bytes_done > 0) return fetch.bytes_done;
  };
  await coming();
  await scene.here.stop();
  left.push(scene.here.dir);
  scene.here = await startTestService({ dataDir: scene.here.services.config.dataDir });
  const before = await coming();
  expect(await act('pause', 'all')).toEqual({ changed: 1 });
  const paused = await get<Fetch>(`fetches/${id}`);
  expect(paused).toMatchObject({ state: 'paused', phase: null, bytes_per_second: 0 });
  expect(paused.bytes_done).toBeGreaterThanOrEqual(before);
  expect(Math.max(...(await get<FetchPieces>(`fetches/${id}/files/2/pieces`)).done.flat())).toBeGreaterThan(0);
  expect((await asWindow(scene.here, 'POST', `/api/v4/local/fetches/${id}/stage`, {})).status).toBe(409);
  expect((await readdir(path.join(scene.dir, 'run-1'), { recursive: true })).join()).toContain('.benchport-part');
  await act('resume', [id]);
  await becomes(id, 'running');
  await act('cancel', [id]);
  expect(await readdir(scene.dir)).toEqual([]);
  expect(await get<Fetch>(`fetches/${id}`)).toMatchObject({
    state: 'cancelled',
    bytes_done: 0,
    ended_at: expect.any(String),
  });
  await asWindow(scene.here, 'PUT', '/api/v4/local/fetch-settings', {
    at_most: 1,
    connections: 2,
    speed_limit: null,
    schedule: null,
    target: null,
  });
  await act('retry', [id]);
  expect(await becomes(id, 'done')).toMatchObject({ bytes_verified: 3_000_000 });
  expect(hash('sha256', await readFile(path.join(scene.dir, 'run-1/raw/trace.bin')))).toBe(hash('sha256', trace));
});

test('after a refused token the user enters another one, and the fetch continues', async () => {
  await scene.here.services.servers.update(scene.serverId, { token: 'wrong' });
  const { id } = await add();
  expect(await becomes(id, 'asking')).toMatchObject({ reason: 'token-refused' });
  await scene.here.services.servers.update(scene.serverId, { token: scene.token });
  scene.here.services.events.emit('changed', { topic: 'servers', id: String(scene.serverId) });
  for (
    let fetch = await get<Fetch>(`fetches/${id}`);
    fetch.state !== 'done';
    fetch = await get<Fetch>(`fetches/${id}`)
  ) {
    expect(fetch.state).not.toBe('failed');
  }
});
