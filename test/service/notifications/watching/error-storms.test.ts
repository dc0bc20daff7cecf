import { afterAll, beforeAll, expect, test } from 'vitest';
import { tellOfErrorStorms } from '../../../../src-main/service/notifications/watching/error-storms.ts';
import { startNotifyWorld, type ErrorProject, type NotifyWorld } from '../notify-world.ts';
import { toldOf } from './told.ts';
import { openBeside } from '../../fixture-measurement.ts';

const hourMs = 3_600_000;
const now = Date.now();
const hour = Math.floor(now / hourMs);
let world: NotifyWorld;
beforeAll(async () => {
  world = await startNotifyWorld();
});
afterAll(async () => world.end());

const received = async ({ id }: ErrorProject, atHour: number, count: number, outcome = 'accepted'): Promise<void> =>
  world.service.services.ingestCounts.add([{ projectId: id, hour: atHour, outcome, count }]);
const look = async (hoursLater = 0): Promise<void> =>
  tellOfErrorStorms(world.service.services, now + hoursLater * hourMs);
const storms = async ({ id }: ErrorProject) =>
  (await toldOf(world, 'error-storm')).filter(({ project_id: of }) => of === id);

test('a storm is told once, and again when it comes back', async () => {
  const project = await world.project();
  await received(project, hour, 499);
  await look();
  expect(await storms(project)).toEqual([]);
  await received(project, hour, 1);
  for (let minute = 0; minute < 5; minute += 1) await look(minute / 60);
  await look(1);
  const told = await storms(project);
  expect(told).toMatchObject([
    {
      subject: `project:${project.id}`,
      title: expect.stringMatching(/^Lab \(500 events within an hour, usually 0\)$/),
    },
  ]);
  // A whole hour without, and it is over.
  await look(2);
  await received(project, hour + 3, 10_000);
  await look(3);
  expect(await storms(project)).toHaveLength(2);
});

test('what is usual for a project is no storm', async () => {
  const project = await world.project();
  for (let before = 2; before < 170; before += 1) await received(project, hour - before, 600);
  await received(project, hour, 5000);
  // Sessions and attachments are no events.
  await received(project, hour, 50_000, 'item:session');
  await look();
  expect(await storms(project)).toEqual([]);
  // Events that were refused for their number are.
  await received(project, hour, 1000, 'rate-limited');
  await look();
  expect(await storms(project)).toHaveLength(1);
});

test('one error storms in a project that has many events', async () => {
  const project = await world.project();
  for (let before = 2; before < 170; before += 1) await received(project, hour - before, 100);
  await project.send('the valve is open');
  const [{ id: errorId } = { id: 0 }] = await world.service.services.errorRates.busyErrors(project.id, 0, 1);
  const database = openBeside(world.service);
  database.prepare('UPDATE errors SET events = 400, last_seen = ? WHERE id = ?').run(now, errorId);
  database
    .prepare(
      'UPDATE error_hours SET events = 400, hour = ? WHERE group_id IN (SELECT id FROM error_groups WHERE error_id = ?)',
    )
    .run(hour, errorId);
  database.close();
  await received(project, hour, 400);
  await look();
  await look();
  expect(await storms(project)).toMatchObject([
    { subject: `error:${errorId}`, title: expect.stringContaining('the valve is open (400 events') },
  ]);
});

test('only members of the project are told', async () => {
  const project = await world.project();
  const { token } = await world.bob();
  await received(project, hour, 1000);
  await look();
  expect(await storms(project)).toHaveLength(1);
  expect(await toldOf(world, 'error-storm', token)).toEqual([]);
});
