import { afterAll, beforeAll, expect, test } from 'vitest';
import type Database from 'better-sqlite3';
import { openBeside } from '../fixture-measurement.ts';
import { useWorld } from '../use-service.ts';
import { began, counted, minuteMs, startTimelineWorld } from './timeline-world.ts';

const world = useWorld(startTimelineWorld);
let database: Database.Database;

beforeAll(() => {
  database = openBeside(world);
});
afterAll(() => void database.close());

const minutes = () => database.prepare('SELECT * FROM error_minutes ORDER BY group_id, minute').all();

test('events from before are counted by minute later, each once, beside those that come meanwhile', async () => {
  const { timelineFills } = world.services;
  for (let index = 0; index < 30; index += 1)
    await world.event({ type: index % 2 === 0 ? 'Even' : 'Odd', value: 'x', at: began + (index % 5) * minuteMs });
  const before = minutes();
  expect(before.length).toBe(10);
  database.exec(`DELETE FROM error_minutes;
    UPDATE search_fills SET complete = 0, filled_to = (SELECT max(id) FROM error_events) WHERE name = 'error-minutes'`);
  await world.event({ type: 'Even', value: 'x', at: began });
  await world.run('filled', { times: [began, began] });
  expect(counted(await world.errorsOf('filled'))).toEqual(['Even: x 1']);
  while (await timelineFills.errorMinutes.purgeSome(0));
  expect(counted(await world.errorsOf('filled'))).toEqual(['Even: x 16', 'Odd: x 15']);
  expect(minutes().length).toBe(before.length);
  expect(await timelineFills.errorMinutes.purgeSome(0)).toBe(false);
});

test('a deleted error leaves no counts behind', async () => {
  const id = await world.event({ type: 'Deleted', value: 'x', at: began });
  const count = minutes().length;
  await world.as.maintainer('DELETE', world.errors, { ids: [id] });
  expect(minutes().length).toBe(count - 1);
});
