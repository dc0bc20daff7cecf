import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings, queueWorld, type World } from './queue-world.ts';

let world: World;
beforeEach(async () => {
  world = await queueWorld();
});
afterEach(() => world.end());

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
    await changeSettings(world, { schedule: only(9) });
    const id = await world.add();
    expect(world.running()).toEqual([]);
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', reason: 'outside-hours', retry_at: '2026-09-07T09:00:00.000Z' });
    await world.clock.advance(30 * 60_000 + 2000);
    expect(world.running()).toEqual([id]);
    expect(await world.state(id)).toBe('running');
    await world.clock.advance(3600_000);
    expect(world.runOf(id).stopped).toBe(true);
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', reason: 'outside-hours', retry_at: '2026-09-14T09:00:00.000Z' });
    await changeSettings(world, { schedule: null });
    expect(world.running()).toEqual([id]);
    await changeSettings(world, { schedule: only() });
    expect(await world.shown(id)).toMatchObject({ state: 'waiting', reason: 'outside-hours', retry_at: null });
  });
});
