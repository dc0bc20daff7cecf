import { describe, expect, test } from 'vitest';
import { turns } from './fake-engine.ts';
import { changeSettings, done, useQueueWorld } from './queue-world.ts';

const world = useQueueWorld();

describe('order', () => {
  test('nothing is started before the first fetch, then three at a time, in order, the next when one ends', async () => {
    expect([world.enginesStarted, world.clock.pending]).toEqual([0, 0]);
    const [a, b, c, d, e] = await world.several(5);
    expect(world.running()).toEqual([a, b, c]);
    expect(world.enginesStarted).toBe(1);
    await world.runOf(b ?? 0).end(done);
    expect(world.running()).toEqual([a, c, d]);
    await world.runOf(a ?? 0).end({ kind: 'failed', reason: 'bad-manifest', message: 'no manifest' });
    expect(world.running()).toEqual([c, d, e]);
    expect(await world.shown(a ?? 0)).toMatchObject({
      state: 'failed',
      reason: 'bad-manifest',
      message: 'no manifest',
      ended_at: expect.any(String),
    });
    expect(await world.shown(b ?? 0)).toMatchObject({
      state: 'done',
      verified_at: expect.any(String),
      bytes_per_second: 0,
    });
    for (const id of [c, d, e]) await world.runOf(id ?? 0).end(done);
    expect(world.running()).toEqual([]);
    await world.clock.advance(5000);
    expect(world.clock.pending).toBe(0);
  });

  test('U12: the list is sorted by name too, and the queue stays as it is', async () => {
    await changeSettings(world, { at_most: 1 });
    for (const title of ['delta', 'Alpha', 'charlie', 'bravo']) await world.add({ title });
    const order = async (sort: 'queue' | 'title', direction: 'asc' | 'desc') =>
      (
        await world.list.page({
          filter: 'all',
          search: '',
          sort,
          order: direction,
          serverIds: [],
          offset: 0,
          limit: 10,
        })
      ).rows.map(({ title }) => title);
    expect(await order('title', 'asc')).toEqual(['Alpha', 'bravo', 'charlie', 'delta']);
    expect(await order('title', 'desc')).toEqual(['delta', 'charlie', 'bravo', 'Alpha']);
    expect(await order('queue', 'asc')).toEqual(['delta', 'Alpha', 'charlie', 'bravo']);
  });

  test('priority comes before place, and both can be changed while others run', async () => {
    await changeSettings(world, { at_most: 1 });
    const [first, a, b, c, d] = await world.several(5);
    const order = async () =>
      (
        await world.list.page({
          filter: 'all',
          search: '',
          sort: 'queue',
          order: 'asc',
          serverIds: [],
          offset: 0,
          limit: 10,
        })
      ).rows.map(({ id }) => id);
    await world.queue.act('last', [a ?? 0]);
    expect(await order()).toEqual([first, b, c, d, a]);
    await world.queue.act('first', [d ?? 0, a ?? 0]);
    expect(await order()).toEqual([first, d, a, b, c]);
    await world.queue.act('later', [d ?? 0, a ?? 0]);
    expect(await order()).toEqual([first, b, d, a, c]);
    await world.queue.act('earlier', [c ?? 0]);
    expect(await order()).toEqual([first, b, d, c, a]);
    expect(await world.queue.act('later', [a ?? 0])).toBe(0);
    await world.queue.setPriority(a ?? 0, 1);
    await world.queue.setPriority(b ?? 0, -1);
    expect(await order()).toEqual([first, a, d, c, b]);
    for (const id of [first, a, d, c, b]) {
      expect(world.running()).toEqual([id]);
      await world.runOf(id ?? 0).end(done);
    }
  });

  test('those of one folder run one after the other, and hold up nobody else', async () => {
    const [a, b] = await world.several(60, { target: '/data/m', paused: true });
    const c = await world.add({ paused: true });
    await world.queue.act('resume', 'all');
    await turns();
    expect(world.running()).toEqual([a, c]);
    await world.runOf(a ?? 0).end(done);
    expect(world.running()).toEqual([c, b]);
  });

  test('fewer at a time stops the last ones, which go on later', async () => {
    const [a, b, c] = await world.several(3);
    await changeSettings(world, { at_most: 1 });
    expect(world.running()).toEqual([a]);
    expect([await world.state(b ?? 0), await world.state(c ?? 0)]).toEqual(['queued', 'queued']);
    await world.runOf(a ?? 0).end(done);
    expect(world.running()).toEqual([b]);
  });

  test('limits and connections are those of the settings and of the server', async () => {
    await changeSettings(world, { speed_limit: 9000, connections: 7 });
    const [a] = await world.several(1);
    const b = await world.add({ serverId: 2, baseUrl: 'http://facility.example' });
    expect([world.runOf(a ?? 0).plan.connections, world.runOf(b).plan.connections]).toEqual([7, 2]);
    expect(world.limits.at(-1)).toEqual([9000, new Map([['http://facility.example', 5000]])]);
    await changeSettings(world, { speed_limit: null });
    expect(world.limits.at(-1)?.[0]).toBeNull();
    await world.restart();
    expect(world.queue.settings().connections).toBe(7);
  });
});

describe('pause and resume', () => {
  test('of one, some and all; what runs is stopped', async () => {
    const [a, b, c, d] = await world.several(4);
    expect(await world.queue.act('pause', [a ?? 0])).toBe(1);
    await turns();
    expect(world.runs.find(({ plan }) => plan.id === a)?.stopped).toBe(true);
    expect(world.running()).toEqual([b, c, d]);
    expect(await world.state(a ?? 0)).toBe('paused');
    expect(await world.queue.act('pause', 'all')).toBe(3);
    await turns();
    expect(world.running()).toEqual([]);
    expect(await world.list.counts()).toMatchObject({ paused: 4, active: 0 });
    await world.restart();
    expect(world.running()).toEqual([]);
    expect(await world.queue.act('resume', [c ?? 0, 999])).toBe(1);
    await turns();
    expect(world.running()).toEqual([c]);
    expect(await world.queue.act('resume', 'all')).toBe(3);
    await turns();
    expect(world.running()).toEqual([c, a, b]);
  });

  test('what is added as paused does not begin', async () => {
    const id = await world.add({ paused: true });
    expect([world.running(), await world.state(id)]).toEqual([[], 'paused']);
  });
});
