import { expect, test } from 'vitest';
import type { HappeningCounts, Happenings } from '../../../src-main/service/contract/notifications/happenings.ts';
import { tell } from '../../../src-main/service/notifications/store/outbox.ts';
import { changeSeen } from '../fixture-measurement.ts';
import { until } from '../until.ts';
import { useWorld } from '../use-service.ts';
import { startNotifyWorld } from './notify-world.ts';

const world = useWorld(startNotifyWorld);

const happenings = async (query = '', as?: string): Promise<Happenings> =>
  (await world.call('GET', `/user/happenings${query}`, undefined, as)).body as Happenings;
const counts = async (as?: string): Promise<HappeningCounts> =>
  (await world.call('GET', '/user/happenings/counts', undefined, as)).body as HappeningCounts;

test('what happened is kept without any rule, for whom it is', async () => {
  const { id: bob, token } = await world.bob();
  const own = await world.degraded();
  const bobs = await world.degraded(bob);
  await until(async () => (await counts()).unseen === 1 && (await counts(token)).unseen === 1, 'both are kept');
  expect(await happenings()).toMatchObject([{ kind: 'degraded', measurement_id: own, seen: false }]);
  expect(await happenings('', token)).toMatchObject([{ kind: 'degraded', measurement_id: bobs, seen: false }]);
  expect(await counts(token)).toMatchObject({ degraded: 1, stuck: 0, errors: 0 });
});

test('what was marked as seen is not counted again, and marks never go back', async () => {
  const first = await world.degraded();
  await until(async () => (await happenings())[0]?.measurement_id === first, 'it is kept');
  const [newest] = await happenings();
  expect((await world.call('POST', '/user/happenings/seen', { until: newest?.id })).status).toBe(204);
  expect(await counts()).toMatchObject({ unseen: 0, newest: newest?.id });
  await world.call('POST', '/user/happenings/seen', { until: 1 });
  expect((await counts()).unseen).toBe(0);
  expect((await happenings()).every(({ seen }) => seen)).toBe(true);
  // A mark beyond the newest one does not reach what comes later.
  await world.call('POST', '/user/happenings/seen', { until: Number.MAX_SAFE_INTEGER });
  const id = await world.degraded();
  await until(async () => (await counts()).unseen === 1, 'the next one counts');
  expect(await happenings(`?after=${newest?.id}`)).toMatchObject([{ measurement_id: id }]);
  expect(await happenings(`?before=${newest?.id}&limit=1`)).toHaveLength(1);
});

test('new errors count until somebody looks at them or resolves them', async () => {
  const { id: bob, token } = await world.bob();
  const project = await world.project();
  await world.service.services.projects.setMember(project.id, bob, 'reporter');
  const before = (await counts()).errors;
  for (const value of ['one', 'two', 'three']) await project.send(value);
  await until(async () => (await counts()).errors === before + 3, 'they count');
  expect((await counts(token)).errors).toBe(3);
  const found = (await happenings()).filter(({ kind }) => kind === 'error-new');
  expect(found[0]).toMatchObject({ project_id: project.id, project_path: project.path });
  const id = Number(found[0]?.subject.replace('error:', ''));
  await world.service.services.errorChanges.setStatus(project.id, [id], 'resolved', Date.now());
  expect((await counts()).errors).toBe(before + 2);
  await world.call('POST', '/user/happenings/seen', { errors_until: (await counts()).newest });
  expect((await counts()).errors).toBe(0);
  expect((await counts()).unseen).toBeGreaterThan(0);
  expect((await counts(token)).errors).toBe(2);
  // Who is no member any more does not see them.
  await world.service.services.members.remove(project.id, bob);
  await changeSeen(world.service);
  expect((await happenings('', token)).some(({ kind }) => kind === 'error-new')).toBe(false);
});

test('a flood counts as 100, and is cut to a bound for its kind alone', async () => {
  await world.degraded();
  await world.service.services.database.transaction(function* () {
    for (let at = 0; at < 5600; at += 1)
      yield* tell({ kind: 'disk-low', subject: `disk:${at}`, measurement_id: null, project_id: null, title: 'x' });
  });
  await until(async () => (await counts()).unseen === 100, 'it is kept');
  const { happenings: store } = world.service.services;
  await until(async () => !(await world.service.services.deliveries.hasHappenings()), 'all of them are');
  while (await store.purgeSome(Date.now()));
  const viewer = { userId: world.alice, isAdmin: true };
  const rows = await store.list(viewer, 0, Number.MAX_SAFE_INTEGER, 100_000);
  expect(rows.filter(({ kind }) => kind === 'disk-low')).toHaveLength(5000);
  expect(rows.some(({ kind }) => kind === 'degraded')).toBe(true);
  while (await store.purgeSome(Date.now() + 31 * 86_400_000));
  expect(await happenings()).toEqual([]);
});

test.each([
  ['?after=-1', 400],
  ['?limit=101', 400],
  ['?before=x', 400],
])('%s is refused', async (query, status) => {
  expect((await world.call('GET', `/user/happenings${query}`)).status).toBe(status);
});

test.each([[{}], [{ until: -1 }], [{ until: 1, more: 2 }]])('marking %j as seen is refused', async (body) => {
  expect((await world.call('POST', '/user/happenings/seen', body)).status).toBe(400);
});
