import { hash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  Fetch,
  FetchAction,
  FetchFilePage,
  FetchLogLine,
  FetchPage,
  FetchPieces,
  FetchState,
} from '../../../src-main/service/contract/fetches.ts';
import type { FetchSettings } from '../../../src-main/service/contract/fetch-settings.ts';
import type { FetchManyResult } from '../../../src-main/service/contract/fetch-many.ts';
import type { AddingEvent } from '../../../src-main/service/contract/events.ts';
import { asWindow, type Answer } from '../as-window.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';

let far: TestService;
let here: TestService;
let dir: string;
let serverId: number;
let token: string;
let aliceId: number;
const left: string[] = [];

const note = 'a note\n';
const trace = Buffer.from(Array.from({ length: 3_000_000 }, (_none, at) => (at * 7919) % 251));

beforeAll(async () => {
  far = await startTestService();
  aliceId = await far.user('alice');
  token = await far.token(aliceId, ['read_measurement']);
  await addMeasurement(far, aliceId, 'run-1', [
    { path: 'note.txt', bytes: note },
    { path: 'raw/empty.dat', bytes: '' },
    { path: 'raw/trace.bin', bytes: trace },
  ]);
});
afterAll(() => far.end());

beforeEach(async () => {
  here = await startTestService();
  await here.user('alice', true);
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-fetches-'));
  const server = await here.services.servers.create({ name: 'Lab', base_url: far.url, certificate: null, token });
  serverId = server?.id ?? 0;
  here.services.events.emit('changed', { topic: 'servers' });
});
afterEach(async () => {
  await here.end();
  for (const folder of [dir, ...left.splice(0)]) await rm(folder, { recursive: true, force: true });
});

async function get<T>(url: string): Promise<T> {
  const { status, body } = await asWindow(here, 'GET', `/api/v4/local/${url}`);
  expect(status, url).toBe(200);
  return body as T;
}
const post = (body: object): Promise<Answer> =>
  asWindow(here, 'POST', '/api/v4/local/fetches', { server_id: serverId, what: 'files', target: dir, ...body });
const act = async (action: FetchAction, ids: readonly number[] | 'all') =>
  (await asWindow(here, 'POST', '/api/v4/local/fetches/actions', { action, ids })).body;

async function add(body: object = {}): Promise<Fetch> {
  const answer = await post({ measurement_id: 'run-1', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body as Fetch;
}

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
  await asWindow(here, 'PUT', '/api/v4/local/fetch-settings', {
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
  const target = path.join(dir, 'run-1');
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
  const stage = (body: object) => asWindow(here, 'POST', `/api/v4/local/fetches/${id}/stage`, body);
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
  expect((await asWindow(here, 'GET', `/api/v4/local/fetches/${id}`)).status).toBe(404);
  expect(await readFile(path.join(target, 'note.txt'), 'utf8')).toBe(note);
});

test('what is dragged out is what was fetched: not another file, a link in its place, or a folder that has gone', async () => {
  const { id } = await add({ indices: [0, 2] });
  await becomes(id, 'done');
  const [target, file] = [path.join(dir, 'run-1'), path.join(dir, 'run-1/note.txt')];
  const stage = async (body: object) => {
    const answer = await asWindow(here, 'POST', `/api/v4/local/fetches/${id}/stage`, body);
    return [answer.status, (answer.body as { type?: string }).type?.split(':').at(-1)];
  };
  await appendFile(file, 'and more');
  expect(await stage({ index: 0 })).toEqual([409, 'file-changed']);
  await rm(file);
  expect(await stage({ index: 0 })).toEqual([404, 'file-missing']);
  // A link to something as long as what was fetched.
  await writeFile(path.join(dir, 'secret'), 'a note\n');
  await symlink(path.join(dir, 'secret'), file);
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
  expect((await readdir(path.join(dir, 'run-1'), { recursive: true })).toSorted()).toEqual([
    'note.txt',
    'raw',
    'raw/trace.bin',
  ]);
  for (const unpack of [false, true]) {
    const target = path.join(dir, `archive-${unpack}`);
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
  expect(await asWindow(here, 'POST', `/api/v4/local/fetches/${id}/stage`, {})).toMatchObject({
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
  await here.stop();
  left.push(here.dir);
  here = await startTestService({ dataDir: here.services.config.dataDir });
  const before = await coming();
  expect(await act('pause', 'all')).toEqual({ changed: 1 });
  const paused = await get<Fetch>(`fetches/${id}`);
  expect(paused).toMatchObject({ state: 'paused', phase: null, bytes_per_second: 0 });
  expect(paused.bytes_done).toBeGreaterThanOrEqual(before);
  expect(Math.max(...(await get<FetchPieces>(`fetches/${id}/files/2/pieces`)).done.flat())).toBeGreaterThan(0);
  expect((await asWindow(here, 'POST', `/api/v4/local/fetches/${id}/stage`, {})).status).toBe(409);
  expect((await readdir(path.join(dir, 'run-1'), { recursive: true })).join()).toContain('.benchport-part');
  await act('resume', [id]);
  await becomes(id, 'running');
  await act('cancel', [id]);
  expect(await readdir(dir)).toEqual([]);
  expect(await get<Fetch>(`fetches/${id}`)).toMatchObject({
    state: 'cancelled',
    bytes_done: 0,
    ended_at: expect.any(String),
  });
  await asWindow(here, 'PUT', '/api/v4/local/fetch-settings', {
    at_most: 1,
    connections: 2,
    speed_limit: null,
    schedule: null,
    target: null,
  });
  await act('retry', [id]);
  expect(await becomes(id, 'done')).toMatchObject({ bytes_verified: 3_000_000 });
  expect(hash('sha256', await readFile(path.join(dir, 'run-1/raw/trace.bin')))).toBe(hash('sha256', trace));
});

test('after a refused token the user enters another one, and the fetch continues', async () => {
  await here.services.servers.update(serverId, { token: 'wrong' });
  const { id } = await add();
  expect(await becomes(id, 'asking')).toMatchObject({ reason: 'token-refused' });
  await here.services.servers.update(serverId, { token });
  here.services.events.emit('changed', { topic: 'servers', id: String(serverId) });
  for (
    let fetch = await get<Fetch>(`fetches/${id}`);
    fetch.state !== 'done';
    fetch = await get<Fetch>(`fetches/${id}`)
  ) {
    expect(fetch.state).not.toBe('failed');
  }
});

describe('U9: many at once', () => {
  const many = (body: object): Promise<Answer> =>
    asWindow(here, 'POST', '/api/v4/local/fetches/many', {
      server_id: serverId,
      what: 'files',
      target: dir,
      paused: true,
      ...body,
    });
  const results = (answer: Answer) => (answer.body as FetchManyResult).results;

  test('each is answered for, in order; the same twice is refused as a single one is, and keeps no other from being added', async () => {
    await post({ measurement_id: 'run-3', paused: true });
    const measurements = [
      ...Array.from({ length: 120 }, (_, at) => ({ id: `run-${at}`, title: `Run ${at}` })),
      { id: 'run-7' },
    ];
    const answer = await many({ measurements });
    expect(answer.status).toBe(200);
    expect(results(answer).map((one) => one.measurement_id)).toEqual(measurements.map(({ id }) => id));
    const refused = results(answer).flatMap(({ problem, fetch }, at) =>
      fetch === null ? [[at, problem?.status, problem?.type]] : [],
    );
    expect(refused).toEqual([
      [3, 409, 'fetch-exists'],
      [120, 409, 'fetch-exists'],
    ]);
    const { items, total } = await get<FetchPage>('fetches?limit=500');
    expect(total).toBe(120);
    expect(items.slice(0, 3).map((one) => one.measurement_id)).toEqual(['run-3', 'run-0', 'run-1']);
    expect(items[1]).toMatchObject({ title: 'Run 0', state: 'paused', target: path.join(dir, 'run-0') });
  });

  test('ids that would share a folder get one each, and a folder that is not there is said for each', async () => {
    const twins = results(await many({ measurements: [{ id: 'a/b' }, { id: 'a?b' }, { id: 'c' }] })).map(
      (one) => one.fetch?.target,
    );
    expect(new Set(twins).size).toBe(3);
    const nowhere = results(
      await many({ measurements: [{ id: 'x' }, { id: 'y' }], target: path.join(dir, 'nowhere') }),
    );
    expect(nowhere.map(({ problem }) => problem?.type)).toEqual(['bad-path', 'bad-path']);
  });

  test('a thousand are one request: events tell how far it is, and the service answers others meanwhile', async () => {
    const told: AddingEvent[] = [];
    here.services.events.subscribe((name, event) => {
      if (name === 'adding') told.push(event as AddingEvent);
    });
    const meanwhile = new Promise<number>((resolve) => {
      const stop = here.services.events.subscribe((name) => {
        if (name !== 'adding') return;
        stop();
        void get<FetchPage>('fetches').then(({ total }) => resolve(total));
      });
    });
    const answer = await many({
      key: 'one',
      measurements: Array.from({ length: 1000 }, (_, at) => ({ id: `run-${at}` })),
    });
    expect(await meanwhile).toBeLessThan(1000);
    expect(results(answer).filter(({ fetch }) => fetch !== null)).toHaveLength(1000);
    expect(told.map(({ done }) => done)).toEqual(Array.from({ length: 20 }, (_, at) => 50 * (at + 1)));
    expect(told.every(({ key, total }) => key === 'one' && total === 1000)).toBe(true);
    expect((await get<FetchPage>('fetches')).total).toBe(1000);
  });

  test('it can be cancelled by its key: what is in the list by then is said and stays, nothing comes after it', async () => {
    const running = many({ key: 'one', measurements: Array.from({ length: 1000 }, (_, at) => ({ id: `run-${at}` })) });
    const cancel = (key: string): Promise<Answer> => asWindow(here, 'DELETE', `/api/v4/local/fetches/many/${key}`);
    await new Promise<void>((resolve) => {
      here.services.events.subscribe((name) => name === 'adding' && resolve());
    });
    expect((await many({ key: 'one', measurements: [{ id: 'x' }] })).body).toMatchObject({
      status: 409,
      type: expect.stringContaining('key-in-use') as string,
    });
    expect((await cancel('one')).status).toBe(204);
    const answer = await running;
    const added = results(answer).filter(({ fetch }) => fetch !== null).length;
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(1000);
    expect(results(answer)).toHaveLength(1000);
    expect(results(answer).slice(added)).toEqual(
      Array.from({ length: 1000 - added }, (_, at) => ({
        measurement_id: `run-${added + at}`,
        fetch: null,
        problem: null,
      })),
    );
    expect((await get<FetchPage>('fetches')).total).toBe(added);
    expect((await cancel('one')).status).toBe(404);
  });

  test('a cancel that arrives before its request counts, once', async () => {
    const measurements = [{ id: 'run-1' }, { id: 'run-2' }];
    expect((await asWindow(here, 'DELETE', '/api/v4/local/fetches/many/early')).status).toBe(204);
    const first = await many({ key: 'early', measurements });
    expect([first.status, results(first).map(({ fetch, problem }) => fetch ?? problem)]).toEqual([200, [null, null]]);
    expect((await get<FetchPage>('fetches')).total).toBe(0);
    expect(results(await many({ key: 'early', measurements })).every(({ fetch }) => fetch !== null)).toBe(true);
    expect((await get<FetchPage>('fetches')).total).toBe(2);
  });

  test('an empty list and one of more than a thousand are refused, and nothing is added', async () => {
    const tooMany = Array.from({ length: 1001 }, (_, at) => ({ id: `run-${at}` }));
    expect([(await many({ measurements: [] })).status, (await many({ measurements: tooMany })).status]).toEqual([
      400, 400,
    ]);
    expect((await get<FetchPage>('fetches')).total).toBe(0);
  });
});

describe('an invalid request', () => {
  test('is refused with the reason', async () => {
    for (const [body, status, type] of [
      [{ server_id: 99 }, 422, 'no-server'],
      [{ target: 'relative' }, 422, 'bad-path'],
      [{ target: '/no/such/folder' }, 422, 'bad-path'],
      [{ what: 'archive', indices: [1] }, 422, 'bad-choice'],
      [{ unpack: true }, 422, 'bad-choice'],
      [{ what: 'everything' }, 400, ''],
      [{ unknown: 1 }, 400, ''],
    ] as const) {
      const answer = await post({ measurement_id: 'run-1', ...body });
      expect(answer.status, JSON.stringify(body)).toBe(status);
      expect((answer.body as { type: string }).type).toContain(type);
    }
  });

  test('the data directory is no target, and the same twice is refused', async () => {
    expect((await post({ measurement_id: 'run-1', target: here.services.config.dataDir })).body).toMatchObject({
      type: expect.stringContaining('data-directory'),
    });
    await add({ paused: true, indices: [0] });
    expect((await post({ measurement_id: 'run-1', paused: true, indices: [0] })).status).toBe(409);
    await add({ paused: true, indices: [1] });
  });

  test('ids that cannot be folders get another name, and equal ids of two servers a folder each', async () => {
    const other = await here.services.servers.create({
      name: 'Other',
      base_url: 'http://other.example',
      certificate: null,
      token: null,
    });
    here.services.events.emit('changed', { topic: 'servers' });
    const targetOf = async (body: object) => path.relative(dir, (await add({ paused: true, ...body })).target);
    expect(await targetOf({ measurement_id: '../../etc' })).toBe('etc');
    expect(await targetOf({ measurement_id: 'con.txt' })).toBe('measurement-con.txt');
    expect(await targetOf({})).toBe('run-1');
    expect(await targetOf({ server_id: other?.id })).toBe('run-1-2');
    expect(await targetOf({ server_id: other?.id, what: 'archive' })).toBe('run-1-2');
  });

  test('folder and priority can be changed while it does not run', async () => {
    const { id } = await add({ paused: true });
    const patch = (body: object) => asWindow(here, 'PATCH', `/api/v4/local/fetches/${id}`, body);
    const other = path.join(dir, 'other');
    await mkdir(other);
    expect((await patch({ target: other, priority: 1 })).body).toMatchObject({
      target: path.join(other, 'run-1'),
      priority: 1,
    });
    expect((await patch({ target: '/no/such/folder' })).status).toBe(422);
    expect((await patch({ priority: 5 })).status).toBe(400);
    await act('cancel', [id]);
    expect((await patch({ target: dir })).status).toBe(409);
    expect((await asWindow(here, 'PATCH', '/api/v4/local/fetches/999', { priority: 1 })).status).toBe(404);
  });
});

test('the list is filtered, searched and paged; folders tell their room', async () => {
  const ids: number[] = [];
  for (const number of [1, 2, 3])
    ids.push((await add({ paused: true, measurement_id: `run-${number}`, title: `Title ${number} Größe` })).id);
  await act('cancel', [ids[0] ?? 0]);
  const page = await get<FetchPage>('fetches?filter=paused&limit=1&offset=1');
  expect(page).toMatchObject({
    total: 2,
    items: [{ id: ids[2] }],
    counts: { all: 3, active: 0, paused: 2, attention: 0, done: 0, failed: 1 },
  });
  expect((await get<FetchPage>('fetches')).items.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
  expect((await get<FetchPage>('fetches?search=title%203')).items.map(({ id }) => id)).toEqual([ids[2]]);
  expect((await get<FetchPage>(`fetches?search=${encodeURIComponent('3 GRÖSSE')}`)).items.map(({ id }) => id)).toEqual([
    ids[2],
  ]);
  expect((await get<FetchPage>('fetches?search=LAB')).total).toBe(3);
  expect((await get<FetchPage>('fetches?search=%25')).total).toBe(0);
  expect(await get(`fetch-folder?path=${encodeURIComponent(dir)}`)).toEqual({
    path: dir,
    exists: true,
    writable: true,
    free_bytes: expect.any(Number),
  });
  expect(await get('fetch-folder?path=/no/such')).toEqual({
    path: '/no/such',
    exists: false,
    writable: false,
    free_bytes: null,
  });
});

test('settings are kept, and checked', async () => {
  const wanted: FetchSettings = {
    at_most: 2,
    connections: 8,
    speed_limit: 2048,
    schedule: '10'.repeat(84),
    target: dir,
  };
  expect((await asWindow(here, 'PUT', '/api/v4/local/fetch-settings', wanted)).body).toEqual(wanted);
  expect(await get('fetch-settings')).toEqual(wanted);
  for (const wrong of [{ at_most: 0 }, { schedule: '2'.repeat(168) }, { speed_limit: 5 }, { other: 1 }]) {
    expect(
      (await asWindow(here, 'PUT', '/api/v4/local/fetch-settings', { ...wanted, ...wrong })).status,
      JSON.stringify(wrong),
    ).toBe(400);
  }
});
