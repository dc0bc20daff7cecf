import { beforeAll, expect, test } from 'vitest';
import { mergeErrors } from '../../../../src-main/service/errors/merging/merge-errors.ts';
import { unmergeGroups } from '../../../../src-main/service/errors/merging/unmerge-groups.ts';
import type { ProjectRow } from '../../../../src-main/service/projects/projects-store.ts';
import { startViewWorld, type EventWish } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startViewWorld);
let project: ProjectRow;
const by = { userId: null, applicationId: null, address: null };
const day = 86_400_000;
const start = Date.now() - 10 * day;

beforeAll(async () => {
  const row = await world.services.projects.byId(world.projectId);
  if (!row) throw new Error('no project');
  project = row;
});

async function send(type: string, ...wishes: EventWish[]): Promise<string> {
  const ids: string[] = [];
  for (const wish of wishes) ids.push(await world.event({ type, ...wish }));
  return ids.at(-1) ?? '';
}

async function errorRow(id: string) {
  const row = await world.services.errorDetails.byId(world.projectId, Number(id));
  if (!row) throw new Error(`no error ${id}`);
  return row;
}

test('merging keeps the first, sums, counts each person once and takes the newest title', async () => {
  const later = await send(
    'Later',
    { at: start + day, user: 'alice', release: '2' },
    { at: start + 3 * day, user: 'bob', release: '3', value: 'newest' },
  );
  const first = await send(
    'First',
    { at: start, user: 'alice', release: '1' },
    { at: start + 2 * day, user: 'alice', release: '2' },
  );
  const third = await send('Third', { at: start + day, value: 'no user' });
  const { id: kept } = await mergeErrors(world.services, project, [later, first, third, first], by);
  expect(kept).toBe(first);
  expect(await errorRow(first)).toMatchObject({
    type: 'Later',
    value: 'newest',
    events: 5,
    users: 2,
    first_seen: start,
    last_seen: start + 3 * day,
    first_release: '1',
    last_release: '3',
    status: 'unresolved',
  });
  expect(await world.services.errorDetails.byId(world.projectId, Number(later))).toBeNull();
  expect(await send('Third', { at: start + 4 * day, user: 'bob' })).toBe(first);
  expect(await errorRow(first)).toMatchObject({ events: 6, users: 2, last_seen: start + 4 * day });
});

test('unmerging gives groups their own error back, with their own counters and title', async () => {
  const one = await send('One', { at: start, user: 'alice', release: '1' });
  const two = await send(
    'Two',
    { at: start + day, user: 'alice', release: '2', value: 'two', level: 'fatal' },
    { at: start + 2 * day, user: 'bob' },
  );
  const { id: kept } = await mergeErrors(world.services, project, [one, two], by);
  const [, second] = await world.services.errorDetails.groups(Number(kept));
  const created = await unmergeGroups(world.services, project, kept, [String(second?.id)], by);
  expect(await errorRow(kept)).toMatchObject({
    type: 'One',
    culprit: 'f_One(bench)',
    level: 'error',
    events: 1,
    users: 1,
    last_seen: start,
    last_release: '1',
  });
  expect(await errorRow(created)).toMatchObject({
    type: 'Two',
    events: 2,
    users: 2,
    first_seen: start + day,
    first_release: '2',
    last_release: '2',
  });
  expect(await send('Two', { at: start + 3 * day })).toBe(created);
  expect(await send('One', { at: start + 3 * day })).toBe(kept);
});

test('the merged errors are returned, so that they can be separated as they were', async () => {
  const [one, two, three] = [
    await send('Red', { at: start }),
    await send('Green', { at: start + 1 }),
    await send('Blue', { at: start + 2 }),
  ];
  await world.services.errorChanges.setStatus(world.projectId, [Number(two)], 'ignored', start + 10);
  const inner = await mergeErrors(world.services, project, [two, three], by);
  const groupsOf = async (id: string) =>
    (await world.services.errorDetails.groups(Number(id))).map((group) => String(group.id)).toSorted();
  const [red, both] = [await groupsOf(one), await groupsOf(two)];
  expect(inner.before.map(({ id, status }) => [id, status])).toEqual([
    [two, 'ignored'],
    [three, 'unresolved'],
  ]);
  const { id: left, before } = await mergeErrors(world.services, project, [two, one], by);
  expect(left).toBe(one);
  expect(before.map(({ id, status, groups }) => [id, status, groups.toSorted()])).toEqual([
    [one, 'unresolved', red],
    [two, 'unresolved', both],
  ]);
  const again = await unmergeGroups(world.services, project, left, before[1]?.groups ?? [], by);
  expect([await groupsOf(left), await groupsOf(again)]).toEqual([red, both]);
});

test('a merged error is unresolved if one of them is; if all are resolved, it is so since the latest time', async () => {
  const ids = [await send('A', { at: start }), await send('B', { at: start + 1 }), await send('C', { at: start + 2 })];
  const [a = '', b = '', c = ''] = ids;
  await world.services.errorChanges.setStatus(world.projectId, [Number(a)], 'resolved', start + 10);
  await world.services.errorChanges.setStatus(world.projectId, [Number(b)], 'resolved', start + 20);
  await mergeErrors(world.services, project, [a, b], by);
  expect(await errorRow(a)).toMatchObject({ status: 'resolved', resolved_at: start + 20 });
  await mergeErrors(world.services, project, [a, c], by);
  expect(await errorRow(a)).toMatchObject({ status: 'unresolved', resolved_at: null });
});

test('nothing changes where an error is missing, of another project or one too many', async () => {
  const one = await send('Lone', { at: start });
  const other = await world.services.projects.create('lab/other', 'other');
  const foreign = await send('Foreign', { at: start, projectId: other?.id ?? 0 });
  await expect(mergeErrors(world.services, project, [one, one], by)).rejects.toMatchObject({ status: 400 });
  await expect(mergeErrors(world.services, project, [one, '999999'], by)).rejects.toMatchObject({ status: 404 });
  await expect(mergeErrors(world.services, project, [one, foreign], by)).rejects.toMatchObject({ status: 404 });
  const [group] = await world.services.errorDetails.groups(Number(one));
  const [foreignGroup] = await world.services.errorDetails.groups(Number(foreign));
  await expect(unmergeGroups(world.services, project, one, [String(group?.id)], by)).rejects.toMatchObject({
    status: 409,
  });
  await expect(unmergeGroups(world.services, project, one, [String(foreignGroup?.id)], by)).rejects.toMatchObject({
    status: 404,
  });
  await expect(unmergeGroups(world.services, project, foreign, [String(foreignGroup?.id)], by)).rejects.toMatchObject({
    status: 404,
  });
  expect(await errorRow(one)).toMatchObject({ events: 1 });
});

test('both are in the audit trail', async () => {
  const { rows } = await world.services.auditList.page(
    { userId: null, action: 'error.', from: 0, before: Date.now() + day },
    100,
    0,
  );
  expect(rows.map((row) => row.action)).toEqual([
    'error.merge',
    'error.merge',
    'error.unmerge',
    'error.merge',
    'error.merge',
    'error.unmerge',
    'error.merge',
    'error.merge',
  ]);
  expect(rows[2]).toMatchObject({ subject: `project:${world.projectId}` });
});
