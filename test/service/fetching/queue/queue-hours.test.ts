import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings, useQueueWorld } from './queue-world.ts';

const world = useQueueWorld();

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
  const only = (...hours: readonly number[]) =>
    Array.from({ length: 168 }, (_none, hour) => (hours.includes(hour) ? '1' : '0')).join('');

  test('over midnight, and from Sunday to Monday, it runs through', async () => {
    // Sunday from eleven at night to Monday at one.
    await changeSettings(world, { schedule: only(6 * 24 + 23, 0) });
    const id = await world.add();
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', retry_at: '2026-09-13T23:00:00.000Z' });
    world.clock.set(Date.parse('2026-09-13T23:59:58Z'));
    await world.clock.advance(3000);
    const run = world.runOf(id);
    await world.clock.advance(Date.parse('2026-09-14T00:59:58Z') - world.clock.now());
    expect([run.stopped, world.running()]).toEqual([false, [id]]);
    await world.clock.advance(4000);
    expect(run.stopped).toBe(true);
    expect(await world.shown(id)).toMatchObject({
      state: 'waiting',
      reason: 'outside-hours',
      retry_at: '2026-09-20T23:00:00.000Z',
    });
  });

  test('outside of them nothing runs, and it goes on by itself', async () => {
    await changeSettings(world, { schedule: only(9) });
    const id = await world.add();
    expect(world.running()).toEqual([]);
    expect(await world.shown(id)).toMatchObject({
      state: 'waiting',
      reason: 'outside-hours',
      retry_at: '2026-09-07T09:00:00.000Z',
    });
    await world.clock.advance(30 * 60_000 + 2000);
    expect(world.running()).toEqual([id]);
    expect(await world.state(id)).toBe('running');
    await world.clock.advance(3600_000);
    expect(world.runOf(id).stopped).toBe(true);
    expect(await world.shown(id)).toMatchObject({
      state: 'waiting',
      reason: 'outside-hours',
      retry_at: '2026-09-14T09:00:00.000Z',
    });
    await changeSettings(world, { schedule: null });
    expect(world.running()).toEqual([id]);
    await changeSettings(world, { schedule: only() });
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', reason: 'outside-hours', retry_at: null });
  });
});
