import { describe, expect, test } from 'vitest';
import type { FetchOutcome } from '../../../../src-main/service/fetching/engine/types.ts';
import { turns } from './fake-engine.ts';
import { changeSettings, done, unreachable, useQueueWorld } from './queue-world.ts';

const world = useQueueWorld();

const broken: FetchOutcome = { kind: 'retry', reason: 'server-failed', message: 'broken', afterMs: null };

describe('trying again', () => {
  test('after five seconds, ten, and so on to ten minutes, and from the start once a byte has come', async () => {
    const id = await world.add();
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      await world.runOf(id).end(broken);
      const shown = await world.shown(id);
      expect(shown).toMatchObject({
        state: 'waiting',
        reason: 'server-failed',
        message: 'broken',
        attempts: round + 1,
      });
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

  test('not before the time that the server demands', async () => {
    const id = await world.add();
    await world.runOf(id).end({ kind: 'retry', reason: 'server-busy', message: 'busy', afterMs: 120_000 });
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
    const ids = await world.several(6);
    const other = await world.add({ serverId: 2, baseUrl: 'http://facility.example' });
    for (const id of ids.slice(0, 3)) await world.runOf(id).end(unreachable);
    expect(world.running()).toEqual([other]);
    expect(await world.shown(ids[5] ?? 0)).toMatchObject({
      state: 'waiting',
      reason: 'unreachable',
      message: 'gone',
      retry_at: expect.any(String),
    });
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

  test('in whole milliseconds, whatever fraction of one passes between two failures of a server', async () => {
    const [first = 0, second = 0] = await world.several(2);
    await world.runOf(first).end({ kind: 'retry', reason: 'server-busy', message: 'busy', afterMs: 60_000 });
    await world.clock.advance(0.4);
    await world.runOf(second).end(unreachable);
    expect(await world.shown(second)).toMatchObject({ state: 'waiting', reason: 'unreachable' });
    await world.clock.advance(63_000);
    expect(world.running()).toEqual([first, second]);
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
    const [a, b] = await world.several(2);
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

  test('not before the server wants it after the machine has slept either, for none of its fetches', async () => {
    const ids = await world.several(5);
    const hour = 3600_000;
    for (const id of ids.slice(0, 3))
      await world.runOf(id).end({ kind: 'retry', reason: 'server-busy', message: 'busy', afterMs: hour });
    world.clock.set(world.clock.now() + hour / 2);
    await world.clock.advance(2000);
    expect(world.running()).toEqual([]);
    expect(await world.shown(ids[4] ?? 0)).toMatchObject({ state: 'waiting', reason: 'server-busy' });
    // Nor does a clock that is put back make it longer.
    world.clock.set(world.clock.now() - hour);
    await world.clock.advance(hour / 2 - 5000);
    expect(world.running()).toEqual([]);
    await world.clock.advance(10_000);
    expect(world.running()).toHaveLength(3);
  });

  test('a run that cannot be stopped does not keep the service from ending', async () => {
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

  test('a clock that was put back while the service was off holds a waiting fetch for ten minutes at most', async () => {
    const id = await world.add();
    await world.runOf(id).end({ kind: 'retry', reason: 'server-failed', message: 'broken', afterMs: 60_000 });
    world.clock.set(world.clock.now() - 20 * 3600_000);
    await world.restart();
    expect(await world.state(id)).toBe('waiting');
    await world.clock.advance(10 * 60_000 + 2000);
    expect(world.running()).toEqual([id]);
  });

  test('continues after a restart', async () => {
    await changeSettings(world, { at_most: 2 });
    const [a, b, c, d] = await world.several(4);
    await world.runOf(a ?? 0).end({ kind: 'retry', reason: 'server-failed', message: 'broken', afterMs: 60_000 });
    await world.queue.act('first', [d ?? 0]);
    expect(world.running()).toEqual([b, c]);
    await world.restart();
    // A fetch that was running precedes one that was moved to the top meanwhile.
    expect(world.running()).toEqual([b, c]);
    expect(await world.state(a ?? 0)).toBe('waiting');
    await world.runOf(b ?? 0).end(done);
    await world.runOf(c ?? 0).end(done);
    expect(world.running()).toEqual([d]);
    await world.clock.advance(63_000);
    expect(world.running()).toEqual([d, a]);
  });
});
