import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FetchPage } from '../../../src-main/service/contract/fetches.ts';
import type { FetchSettings } from '../../../src-main/service/contract/fetch-settings.ts';
import { asWindow } from '../as-window.ts';
import { useFetches } from './fetch-scene.ts';

const scene = useFetches();
const { post, add, act, get } = scene;

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
    expect((await post({ measurement_id: 'run-1', target: scene.here.services.config.dataDir })).body).toMatchObject({
      type: expect.stringContaining('data-directory'),
    });
    await add({ paused: true, indices: [0] });
    expect((await post({ measurement_id: 'run-1', paused: true, indices: [0] })).status).toBe(409);
    await add({ paused: true, indices: [1] });
  });

  test('ids that cannot be folders get another name, and equal ids of two servers a folder each', async () => {
    const other = await scene.here.services.servers.create({
      name: 'Other',
      base_url: 'http://other.example',
      certificate: null,
      token: null,
    });
    scene.here.services.events.emit('changed', { topic: 'servers' });
    const targetOf = async (body: object) => path.relative(scene.dir, (await add({ paused: true, ...body })).target);
    expect(await targetOf({ measurement_id: '../../etc' })).toBe('etc');
    expect(await targetOf({ measurement_id: 'con.txt' })).toBe('measurement-con.txt');
    expect(await targetOf({})).toBe('run-1');
    expect(await targetOf({ server_id: other?.id })).toBe('run-1-2');
    expect(await targetOf({ server_id: other?.id, what: 'archive' })).toBe('run-1-2');
  });

  test('folder and priority can be changed while it does not run', async () => {
    const { id } = await add({ paused: true });
    const patch = (body: object) => asWindow(scene.here, 'PATCH', `/api/v4/local/fetches/${id}`, body);
    const other = path.join(scene.dir, 'other');
    await mkdir(other);
    expect((await patch({ target: other, priority: 1 })).body).toMatchObject({
      target: path.join(other, 'run-1'),
      priority: 1,
    });
    expect((await patch({ target: '/no/such/folder' })).status).toBe(422);
    expect((await patch({ priority: 5 })).status).toBe(400);
    await act('cancel', [id]);
    expect((await patch({ target: scene.dir })).status).toBe(409);
    expect((await asWindow(scene.here, 'PATCH', '/api/v4/local/fetches/999', { priority: 1 })).status).toBe(404);
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
  expect(await get(`fetch-folder?path=${encodeURIComponent(scene.dir)}`)).toEqual({
    path: scene.dir,
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
    target: scene.dir,
  };
  expect((await asWindow(scene.here, 'PUT', '/api/v4/local/fetch-settings', wanted)).body).toEqual(wanted);
  expect(await get('fetch-settings')).toEqual(wanted);
  for (const wrong of [{ at_most: 0 }, { schedule: '2'.repeat(168) }, { speed_limit: 5 }, { other: 1 }]) {
    expect(
      (await asWindow(scene.here, 'PUT', '/api/v4/local/fetch-settings', { ...wanted, ...wrong })).status,
      JSON.stringify(wrong),
    ).toBe(400);
  }
});
