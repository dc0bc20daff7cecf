import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FetchOutcome } from '../../../src-main/service/fetching/engine/types.ts';
import { queueWorld, turns, type World } from './queue-world.ts';

let world: World;
beforeEach(async () => {
  world = await queueWorld();
});
afterEach(() => world.end());

const done: FetchOutcome = { kind: 'done' };
const unreachable: FetchOutcome = { kind: 'retry', reason: 'unreachable', message: 'gone', afterMilliseconds: null };
const broken: FetchOutcome = { kind: 'retry', reason: 'server-failed', message: 'broken', afterMilliseconds: null };
const refused: FetchOutcome = { kind: 'ask', reason: 'token-refused', message: 'no token' };

async function several(count: number, wish: Parameters<World['add']>[0] = {}): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let number = 0; number < count; number += 1) ids.push(await world.add(wish));
  return ids;
}

async function settle(change: Partial<ReturnType<World['queue']['settings']>>): Promise<void> {
  await world.queue.setSettings({ ...world.queue.settings(), ...change });
  await turns();
}

describe('order', () => {
  test('nothing is started before the first fetch, then three at a time, in order, the next when one ends', async () => {
    expect([world.enginesStarted, world.clock.pending]).toEqual([0, 0]);
    const [a, b, c, d, e] = await several(5);
    expect(world.running()).toEqual([a, b, c]);
    expect(world.enginesStarted).toBe(1);
    await world.runOf(b ?? 0).end(done);
    expect(world.running()).toEqual([a, c, d]);
    await world.runOf(a ?? 0).end({ kind: 'failed', reason: 'bad-manifest', message: 'no manifest' });
    expect(world.running()).toEqual([c, d, e]);
    expect(await world.shown(a ?? 0)).toMatchObject({ state: 'failed', reason: 'bad-manifest', message: 'no manifest', ended_at: expect.any(String) });
    expect(await world.shown(b ?? 0)).toMatchObject({ state: 'done', verified_at: expect.any(String), bytes_per_second: 0 });
    for (const id of [c, d, e]) await world.runOf(id ?? 0).end(done);
    expect(world.running()).toEqual([]);
    await world.clock.advance(5000);
    expect(world.clock.pending).toBe(0);
  });

  test('priority comes before place, and both can be changed while others run', async () => {
    await settle({ at_most: 1 });
    const [first, a, b, c, d] = await several(5);
    const order = async () => (await world.list.page({ filter: 'all', search: '', serverIds: [], offset: 0, limit: 10 })).rows.map(({ id }) => id);
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
    const [a, b] = await several(60, { target: '/data/m', paused: true });
    const c = await world.add({ paused: true });
    await world.queue.act('resume', 'all');
    await turns();
    expect(world.running()).toEqual([a, c]);
    await world.runOf(a ?? 0).end(done);
    expect(world.running()).toEqual([c, b]);
  });

  test('fewer at a time stops the last ones, which go on later', async () => {
    const [a, b, c] = await several(3);
    await settle({ at_most: 1 });
    expect(world.running()).toEqual([a]);
    expect([await world.state(b ?? 0), await world.state(c ?? 0)]).toEqual(['queued', 'queued']);
    await world.runOf(a ?? 0).end(done);
    expect(world.running()).toEqual([b]);
  });

  test('limits and connections are those of the settings and of the server', async () => {
    await settle({ speed_limit: 9000, connections: 7 });
    const [a] = await several(1);
    const b = await world.add({ serverId: 2, baseUrl: 'http://facility.example' });
    expect([world.runOf(a ?? 0).plan.connections, world.runOf(b).plan.connections]).toEqual([7, 2]);
    expect(world.limits.at(-1)).toEqual([9000, new Map([['http://facility.example', 5000]])]);
    await settle({ speed_limit: null });
    expect(world.limits.at(-1)?.[0]).toBeNull();
    await world.restart();
    expect(world.queue.settings().connections).toBe(7);
  });
});

describe('pause and resume', () => {
  test('of one, some and all; what runs is stopped', async () => {
    const [a, b, c, d] = await several(4);
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

describe('trying again', () => {
  test('after five seconds, ten, and so on to ten minutes, and from the start once a byte has come', async () => {
    const id = await world.add();
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      await world.runOf(id).end(broken);
      const shown = await world.shown(id);
      expect(shown).toMatchObject({ state: 'waiting', reason: 'server-failed', message: 'broken', attempts: round + 1 });
      const wait = Date.parse(shown.retry_at ?? '') - world.clock.now();
      waits.push(wait);
      await world.clock.advance(wait - 2000);
      expect(world.running()).toEqual([]);
      await world.clock.advance(3100);
      expect(world.running()).toEqual([id]);
    }
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000]);
    world.runOf(id).receive(10);
    await world.runOf(id).end(broken);
    expect(await world.shown(id)).toMatchObject({ attempts: 1 });
  });

  test('not before the server wants it', async () => {
    const id = await world.add();
    await world.runOf(id).end({ kind: 'retry', reason: 'server-busy', message: 'busy', afterMilliseconds: 120_000 });
    await world.clock.advance(118_000);
    expect(world.running()).toEqual([]);
    await world.clock.advance(5000);
    expect(world.running()).toEqual([id]);
  });

  test('at once when the user says so', async () => {
    const id = await world.add();
    await world.runOf(id).end(broken);
    await world.queue.act('resume', [id]);
    await turns();
    expect(world.running()).toEqual([id]);
    expect(await world.shown(id)).toMatchObject({ attempts: 0, reason: null });
  });

  test('a server that is away is asked by those that ran, and not by each that waits', async () => {
    const ids = await several(6);
    const other = await world.add({ serverId: 2, baseUrl: 'http://facility.example' });
    for (const id of ids.slice(0, 3)) await world.runOf(id).end(unreachable);
    expect(world.running()).toEqual([other]);
    expect(await world.shown(ids[5] ?? 0)).toMatchObject({ state: 'waiting', reason: 'unreachable', message: 'gone', retry_at: expect.any(String) });
    expect(await world.list.counts()).toMatchObject({ active: 7 });
    await world.clock.advance(7000);
    expect(world.running()).toHaveLength(3);
    // One round is one failure of the server, however many have met it.
    const again = world.running().filter((id) => id !== other);
    for (const id of again) await world.runOf(id).end(unreachable);
    await world.clock.advance(8000);
    expect(world.running()).toEqual([other]);
    await world.clock.advance(4000);
    expect(world.running()).toHaveLength(3);
  });

  test('by a clock that does not jump', async () => {
    const id = await world.add();
    await world.runOf(id).end(broken);
    world.clock.set(world.clock.now() - 3600_000);
    expect(Date.parse((await world.shown(id)).retry_at ?? '') - world.clock.now()).toBe(5000);
    await world.clock.advance(6500);
    expect(world.running()).toEqual([id]);
  });

  test('at once after the machine has slept, with new connections for what ran', async () => {
    const [a, b] = await several(2);
    for (let round = 0; round < 5; round += 1) {
      await world.runOf(a ?? 0).end(broken);
      await world.queue.act('resume', [a ?? 0]);
      await turns();
    }
    await world.runOf(a ?? 0).end(broken);
    const before = world.runOf(b ?? 0);
    // The clock that only passes has stood still meanwhile.
    world.clock.set(world.clock.now() + 8 * 3600_000);
    await world.clock.advance(1500);
    expect(before.stopped).toBe(true);
    expect(world.runOf(b ?? 0)).not.toBe(before);
    expect(world.running()).toContain(a);
  });

  test('what cannot be stopped does not keep the service from ending', async () => {
    const id = await world.add();
    world.runOf(id).stuck = true;
    let ended = false;
    const stopping = world.queue.stop().then(() => (ended = true));
    await turns();
    expect([world.runOf(id).stopped, ended]).toEqual([true, false]);
    await world.clock.advance(8000);
    expect(ended).toBe(true);
    await stopping;
    await world.runOf(id).end({ kind: 'stopped' });
  });

  test('goes on after a restart where it was', async () => {
    await settle({ at_most: 2 });
    const [a, b, c, d] = await several(4);
    await world.runOf(a ?? 0).end({ kind: 'retry', reason: 'server-failed', message: 'broken', afterMilliseconds: 60_000 });
    await world.queue.act('first', [d ?? 0]);
    expect(world.running()).toEqual([b, c]);
    await world.restart();
    // What ran comes before what has been put first meanwhile.
    expect(world.running()).toEqual([b, c]);
    expect(await world.state(a ?? 0)).toBe('waiting');
    await world.runOf(b ?? 0).end(done);
    await world.runOf(c ?? 0).end(done);
    expect(world.running()).toEqual([d]);
    await world.clock.advance(63_000);
    expect(world.running()).toEqual([d, a]);
  });
});

describe('asking the user', () => {
  test('a refused token stops all of its server, and another one lets them go on', async () => {
    const ids = await several(5);
    const other = await world.add({ serverId: 2, baseUrl: 'http://facility.example' });
    await world.runOf(ids[0] ?? 0).end(refused);
    expect(await world.shown(ids[4] ?? 0)).toMatchObject({ state: 'asking', reason: 'token-refused', message: 'no token' });
    expect(world.running()).toEqual([ids[1], ids[2], other]);
    await world.serversChanged();
    expect(await world.state(ids[0] ?? 0)).toBe('asking');
    world.tokens.set(1, 'another');
    // One that was asked with the old token, and refused after the new one came.
    await world.serversChanged();
    await world.runOf(ids[1] ?? 0).end(refused);
    await world.runOf(ids[2] ?? 0).end(done);
    expect(await world.list.counts()).toMatchObject({ attention: 0, active: 5, done: 1 });
    expect(world.runOf(ids[0] ?? 0).plan.source.token).toBe('another');
  });

  test('one without access asks alone', async () => {
    const ids = await several(4);
    await world.runOf(ids[0] ?? 0).end({ kind: 'ask', reason: 'no-access', message: 'not yours' });
    expect(await world.list.counts()).toMatchObject({ attention: 1, active: 3 });
    await world.queue.act('resume', [ids[0] ?? 0]);
    await world.runOf(ids[1] ?? 0).end(done);
    expect(world.running()).toContain(ids[0]);
  });

  test('a server that is not in the list any more asks, and goes on when it is there again', async () => {
    const servers = world.servers;
    world.servers = [];
    await world.serversChanged();
    const id = await world.add();
    expect(await world.shown(id)).toMatchObject({ state: 'asking', reason: 'no-access', server_name: 'lab.example' });
    world.servers = [{ ...servers[0], id: 7, name: 'Lab again' } as (typeof servers)[number]];
    await world.serversChanged();
    expect(world.running()).toEqual([id]);
    expect(await world.shown(id)).toMatchObject({ server_id: 7, server_name: 'Lab again' });
  });

  test('without room nothing begins; it goes on when there is', async () => {
    const id = await world.add({ target: '/data/m', paused: true });
    await world.journal.begin(id, { manifestDigest: null, filesTotal: 1, bytesTotal: 1e9 });
    world.rooms.set('/data/m', { free: 1e9, disk: 'x', made: true });
    await world.queue.act('resume', [id]);
    await turns();
    const shown = await world.shown(id);
    expect(shown).toMatchObject({ state: 'asking', reason: 'disk-full' });
    expect(shown.message).toContain('1017.7 MiB');
    expect(shown.message).toContain('953.7 MiB are free');
    await world.clock.advance(12_000);
    expect(await world.state(id)).toBe('asking');
    world.rooms.set('/data/m', { free: 1.1e9, disk: 'x', made: true });
    await world.clock.advance(6000);
    expect(world.running()).toEqual([id]);
  });

  test('what others on the disk will still write is not free', async () => {
    world.room = { free: 1.5e9, disk: 'x', made: true };
    const [a, b] = await several(2, { paused: true });
    for (const id of [a, b]) await world.journal.begin(id ?? 0, { manifestDigest: null, filesTotal: 1, bytesTotal: 1e9 });
    await world.queue.act('resume', 'all');
    await turns();
    expect([await world.state(a ?? 0), await world.state(b ?? 0)]).toEqual(['running', 'asking']);
    await world.clock.advance(1000);
    world.told.length = 0;
    await world.clock.advance(12_000);
    // It was not even tried.
    expect(world.told.filter(({ name }) => name === 'changed')).toEqual([]);
    world.room = { free: 0.9e9, disk: 'x', made: true };
    await world.clock.advance(10_000);
    expect(await world.state(b ?? 0)).toBe('asking');
    world.room = { free: 1.1e9, disk: 'x', made: true };
    await world.runOf(a ?? 0).end(done);
    await world.clock.advance(6000);
    expect(world.running()).toEqual([b]);
  });

  test('a disk that fills up, or is too small for what turns out to come, stops what runs', async () => {
    world.rooms.set('/one/m', { free: 1e9, disk: 'one', made: true });
    world.rooms.set('/two/m', { free: 1e9, disk: 'two', made: true });
    const [a, b] = [await world.add({ target: '/one/m' }), await world.add({ target: '/two/m' })];
    await world.journal.begin(a, { manifestDigest: null, filesTotal: 1, bytesTotal: 2e9 });
    await world.journal.begin(b, { manifestDigest: null, filesTotal: 1, bytesTotal: 5e8 });
    await world.clock.advance(1100);
    expect([await world.state(a), await world.state(b)]).toEqual(['asking', 'running']);
    // Somebody else needs some of it for a while.
    world.rooms.set('/two/m', { free: 3e8, disk: 'two', made: true });
    await world.clock.advance(3000);
    expect(await world.state(b)).toBe('running');
    world.rooms.set('/two/m', { free: 1e6, disk: 'two', made: true });
    await world.clock.advance(1100);
    expect(await world.shown(b)).toMatchObject({ state: 'asking', reason: 'disk-full' });
    expect(world.running()).toEqual([]);
  });

  test('a write that failed although the disk says that it has room is not tried before more is free', async () => {
    const id = await world.add({ target: '/data/m' });
    world.rooms.set('/data/m', { free: 1e9, disk: 'x', made: true });
    await world.runOf(id).end({ kind: 'ask', reason: 'disk-full', message: 'full' });
    expect((await world.shown(id)).message).toContain('are free on the disk of /data/m');
    await world.clock.advance(20_000);
    expect(await world.state(id)).toBe('asking');
    world.rooms.set('/data/m', { free: 1.1e9, disk: 'x', made: true });
    await world.clock.advance(6000);
    expect(await world.state(id)).toBe('running');
  });

  test('a folder that is not there is waited for', async () => {
    world.rooms.set('/data/m', null);
    const id = await world.add({ target: '/data/m' });
    expect(await world.shown(id)).toMatchObject({ state: 'asking', reason: 'target-missing' });
    await world.clock.advance(10_000);
    expect(world.running()).toEqual([]);
    world.rooms.set('/data/m', { free: 1e12, disk: 'x', made: false });
    await world.clock.advance(6000);
    expect(world.running()).toEqual([id]);
  });
});

describe('hours', () => {
  // The clock of the test stands at half past eight, UTC, on a Monday.
  const zone = process.env['TZ'];
  beforeEach(() => {
    process.env['TZ'] = 'UTC';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const only = (...hours: readonly number[]) => Array.from({ length: 168 }, (_none, hour) => (hours.includes(hour) ? '1' : '0')).join('');

  test('outside of them nothing runs, and it goes on by itself', async () => {
    await settle({ schedule: only(9) });
    const id = await world.add();
    expect(world.running()).toEqual([]);
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', reason: 'outside-hours', retry_at: '2026-09-07T09:00:00.000Z' });
    await world.clock.advance(30 * 60_000 + 2000);
    expect(world.running()).toEqual([id]);
    expect(await world.state(id)).toBe('running');
    await world.clock.advance(3600_000);
    expect(world.runOf(id).stopped).toBe(true);
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', reason: 'outside-hours', retry_at: '2026-09-14T09:00:00.000Z' });
    await settle({ schedule: null });
    expect(world.running()).toEqual([id]);
    await settle({ schedule: only() });
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', reason: 'outside-hours', retry_at: null });
  });
});

describe('what is told', () => {
  const told = (name: string) => world.told.filter((one) => one.name === name);

  test('progress at most four times a second, with rate, time left and standstill; the sum once a second', async () => {
    const id = await world.add();
    await world.journal.begin(id, { manifestDigest: null, filesTotal: 1, bytesTotal: 1_000_000 });
    world.told.length = 0;
    const from = world.clock.steady();
    for (let step = 0; step < 100; step += 1) {
      world.runOf(id).receive(1000);
      await world.clock.advance(100);
    }
    const seconds = (world.clock.steady() - from) / 1000;
    expect(told('fetch').length).toBeGreaterThan(seconds * 3);
    expect(told('fetch').length).toBeLessThanOrEqual(seconds * 4 + 1);
    expect(told('incoming').length).toBeGreaterThanOrEqual(seconds - 1);
    expect(told('incoming').length).toBeLessThanOrEqual(seconds + 1);
    const last = told('incoming').at(-1)?.event as { down_bytes_per_second: number; running: number; seconds_left: number };
    expect(last.running).toBe(1);
    expect(last.down_bytes_per_second).toBeGreaterThan(9000);
    expect(last.down_bytes_per_second).toBeLessThan(11_000);
    const shown = await world.shown(id);
    expect(shown).toMatchObject({ state: 'running', phase: 'fetching', bytes_done: 100_000, connections: 1, stalled: false });
    expect(shown.seconds_left).toBeGreaterThan(80);
    expect(shown.seconds_left).toBeLessThan(100);
    await world.clock.advance(14_000);
    expect((await world.shown(id)).stalled).toBe(false);
    await world.clock.advance(2000);
    expect(await world.shown(id)).toMatchObject({ stalled: true, bytes_per_second: 0, seconds_left: null, state: 'running' });
    await world.runOf(id).end(done);
    await world.clock.advance(2000);
    expect(told('incoming').at(-1)?.event).toEqual({ down_bytes_per_second: 0, running: 0, seconds_left: null });
    const count = told('incoming').length;
    await world.clock.advance(5000);
    expect(told('incoming')).toHaveLength(count);
    expect(told('fetch').at(-1)?.event).toMatchObject({ id, state: 'done' });
  });

  test('that something has changed, once for many changes', async () => {
    const ids = await several(200, { paused: true });
    await world.clock.advance(1000);
    world.told.length = 0;
    await world.queue.act('cancel', ids);
    await world.queue.act('retry', ids);
    await world.queue.act('pause', ids);
    await world.clock.advance(250);
    const changes = told('changed');
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThan(4);
  });
});
