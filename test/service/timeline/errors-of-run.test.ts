import { integratedSettings } from '../errors/integrated-settings.ts';
import { beforeAll, expect, it } from 'vitest';
import { useWorld } from '../use-service.ts';
import { began, counted, minuteMs, startTimelineWorld } from './timeline-world.ts';

const dayMs = 86_400_000;
const world = useWorld(startTimelineWorld);
let second: number;

beforeAll(async () => {
  second = (await world.services.projects.create('lab/second', 'Second'))?.id ?? 0;
  await world.services.projects.setMember(second, world.userIds.developer, 'reporter');
});

it('lists the errors of the window, the most frequent first, with a chart of it', async () => {
  await world.run('order');
  const at = began + 20_000;
  for (const [type, times] of [
    ['Rare', [at]],
    ['Often', [at, at + 1, at + minuteMs]],
  ] as const)
    for (const one of times) await world.event({ type, value: 'order', at: one, level: 'warning' });
  const page = await world.errorsOf('order');
  expect(page).toMatchObject({ state: 'known', total: 2, complete: true, next: null, step_seconds: 60 });
  expect(counted(page)).toEqual(['Often: order 3', 'Rare: order 1']);
  const beginning = Math.floor(began / minuteMs) * minuteMs;
  expect(page.window).toEqual({
    began_at: new Date(began).toISOString(),
    ended_at: new Date(began + minuteMs).toISOString(),
    from: new Date(beginning - 5 * minuteMs).toISOString(),
    until: new Date(beginning + 7 * minuteMs).toISOString(),
  });
  expect(page.errors[0]).toMatchObject({
    level: 'warning',
    status: 'unresolved',
    project: { id: world.projectId, path: 'lab/qmr' },
    first_at: new Date(beginning).toISOString(),
    last_at: new Date(beginning + minuteMs).toISOString(),
  });
  expect(page.steps).toEqual([0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0]);
});

it('counts whole minutes: the first and the last millisecond of the window are in it, those beside it are not', async () => {
  const start = began - 10 * dayMs;
  await world.run('edges', { times: [start, start] });
  const { window } = await world.errorsOf('edges');
  const [from, until] = [Date.parse(window?.from ?? ''), Date.parse(window?.until ?? '')];
  for (const [type, at] of [
    ['JustBefore', from - 1],
    ['First', from],
    ['Last', until - 1],
    ['JustAfter', until],
  ] as const)
    await world.event({ type, value: 'edge', at });
  expect(counted(await world.errorsOf('edges')).toSorted()).toEqual(['First: edge 1', 'Last: edge 1']);
});

it('goes by the time at which it happened, not by that at which it was sent', async () => {
  const start = began - 12 * dayMs;
  await world.run('offline', { times: [start, start] });
  await world.event({ type: 'SentLater', value: 'x', at: start, receivedAt: start + 3 * dayMs });
  // A time that the sender's clock cannot have is replaced by that of the receipt.
  await world.event({ type: 'FromTheFuture', value: 'x', at: start + 5 * dayMs, receivedAt: start });
  expect(counted(await world.errorsOf('offline'))).toEqual(['SentLater: x 1', 'FromTheFuture: x 1']);
});

it('counts long runs by the hour, and says of longer ones that they are too long', async () => {
  const start = began - 40 * dayMs;
  await world.run('long', { times: [start, start + 10 * dayMs] });
  await world.event({ type: 'Long', value: 'x', at: start + 4 * dayMs });
  await world.event({ type: 'Long', value: 'x', at: start - 10 * minuteMs });
  const page = await world.errorsOf('long');
  expect(page).toMatchObject({ state: 'known', span_days: 10, step_seconds: 3 * 3600 });
  expect(page.steps.length).toBeLessThanOrEqual(120);
  expect(page.window?.from.endsWith(':00:00.000Z')).toBe(true);
  expect(counted(page)).toEqual(['Long: x 2']);
  await world.run('longer', { times: [start, start + 31 * dayMs + 1] });
  expect(await world.errorsOf('longer')).toMatchObject({ state: 'too_long', span_days: 32, window: null, errors: [] });
  await world.run('none', { times: null });
  expect(await world.errorsOf('none')).toMatchObject({ state: 'unknown', span_days: null, window: null, errors: [] });
});

it('pages through many errors, each once', async () => {
  const start = began - 15 * dayMs;
  await world.run('many', { times: [start, start] });
  for (let index = 0; index < 25; index += 1) {
    const at = start + index;
    await world.event({ type: `Many${String.fromCodePoint(97 + index)}`, value: 'x', at });
    if (index % 5 === 0) await world.event({ type: `Many${String.fromCodePoint(97 + index)}`, value: 'x', at });
  }
  const first = await world.errorsOf('many', 'reporter', '?limit=10');
  expect([first.total, first.steps.reduce((sum, one) => sum + one, 0)]).toEqual([25, 30]);
  const seen = counted(first);
  for (let { next } = first; next !== null;) {
    const page = await world.errorsOf('many', 'reporter', `?limit=10&cursor=${next}`);
    expect(page.steps).toEqual([]);
    seen.push(...counted(page));
    ({ next } = page);
  }
  expect(seen).toEqual(counted(await world.errorsOf('many', 'reporter', '?limit=100')));
  expect([seen.length, seen.slice(0, 5).every((one) => one.endsWith(' 2'))]).toEqual([25, true]);
});

it('has resolved, ignored and merged errors too, and none that were deleted', async () => {
  const start = began - 17 * dayMs;
  await world.run('states', { times: [start, start] });
  const ids: Record<string, string> = {};
  for (const type of ['Resolved', 'Ignored', 'One', 'Other', 'Deleted'])
    ids[type] = await world.event({ type, value: 's', at: start });
  const { errors: path } = world;
  await world.as.maintainer('PUT', path, { ids: [ids['Resolved']], status: 'resolved' });
  await world.as.maintainer('PUT', path, { ids: [ids['Ignored']], status: 'ignored' });
  await world.as.maintainer('POST', `${path}/merge`, { ids: [ids['One'], ids['Other']] });
  await world.as.maintainer('DELETE', path, { ids: [ids['Deleted']] });
  const { errors } = await world.errorsOf('states');
  expect(errors.map(({ id, status, events }) => `${id} ${status} ${events}`).toSorted()).toEqual(
    [`${ids['Resolved']} resolved 1`, `${ids['Ignored']} ignored 1`, `${ids['One']} unresolved 2`].toSorted(),
  );
});

it('looks at the projects with a grant, or else at all of the caller, or at the one that is asked for', async () => {
  const start = began - 20 * dayMs;
  await world.run('granted', { times: [start, start], owner: 'developer', granted: [second] });
  await world.run('own', { times: [start, start], owner: 'developer' });
  await world.event({ type: 'Here', value: 'p', at: start });
  await world.event({ type: 'There', value: 'p', at: start, projectId: second });
  const granted = await world.errorsOf('granted', 'developer');
  expect(granted.projects).toEqual([
    { id: second, path: 'lab/second', name: 'Second', granted: true, external: false },
  ]);
  expect(counted(granted)).toEqual(['There: p 1']);
  expect(counted(await world.errorsOf('own', 'developer'))).toEqual(['Here: p 1', 'There: p 1']);
  expect(counted(await world.errorsOf('granted', 'developer', '?project=LAB/qmr'))).toEqual(['Here: p 1']);
  expect(counted(await world.errorsOf('own', 'developer', `?project=${second}`))).toEqual(['There: p 1']);
  // An administrator is a member of none, and sees the project of the grant.
  expect(counted(await world.errorsOf('granted', 'steward'))).toEqual(['There: p 1']);
  expect(await world.errorsOf('own', 'steward')).toMatchObject({ projects: [], errors: [], state: 'known' });
});

it('tells nobody about measurements and projects that he may not see', async () => {
  const start = began - 22 * dayMs;
  await world.run('mine', { times: [start, start], owner: 'maintainer', granted: [second] });
  await world.services.grants.grant('mine', { everyone: true }, null, null);
  await world.run('hidden', { times: [start, start], owner: 'maintainer' });
  await world.event({ type: 'Secret', value: 's', at: start, projectId: second });
  const answer = async (person: 'outsider' | 'reporter', path: string) =>
    (await world.as[person]('GET', `/api/v4/measurements/${path}`)).status;
  expect(await answer('outsider', 'hidden/errors')).toBe(403);
  expect(await answer('outsider', 'nothing/errors')).toBe(404);
  // The grant names a project of which the caller is no member: it is not shown.
  expect(await world.errorsOf('mine', 'outsider')).toMatchObject({ projects: [], errors: [], total: 0 });
  const seen = await world.errorsOf('mine', 'reporter');
  expect([seen.projects.map(({ path }) => path), seen.errors]).toEqual([['lab/qmr'], []]);
  expect(await answer('reporter', 'mine/errors?project=lab%2Fsecond')).toBe(404);
  expect(await answer('reporter', 'mine/errors?project=no%2Fsuch')).toBe(404);
  expect(await answer('reporter', 'mine/errors?cursor=nonsense')).toBe(400);
  expect(await answer('reporter', 'mine/errors?limit=101')).toBe(400);
  expect((await world.with(null)('GET', '/api/v4/measurements/mine/errors')).status).toBe(401);
  const token = await world.token(world.userIds.reporter, ['read_measurement']);
  expect((await world.with(token)('GET', '/api/v4/measurements/mine/errors')).status).toBe(403);
});

it('passes over projects whose Monitor is off, and names those whose errors are elsewhere', async () => {
  const start = began - 24 * dayMs;
  const off = (await world.services.projects.create('lab/off', 'Off'))?.id ?? 0;
  const away = (await world.services.projects.create('lab/away', 'Away'))?.id ?? 0;
  for (const id of [off, away]) await world.services.projects.setMember(id, world.userIds.owner, 'reporter');
  await world.run('elsewhere', { times: [start, start], owner: 'owner', granted: [off, away] });
  for (const projectId of [off, away]) await world.event({ type: 'Gone', value: 'g', at: start, projectId });
  await world.services.projects.change(off, 'Off', false);
  await world.services.errorSettings.put({
    ...integratedSettings,
    project_id: away,
    integrated: 0,
    api_url: 'https://lab.example/api/0/projects/a/b',
  });
  const page = await world.errorsOf('elsewhere', 'owner');
  expect(page.projects).toEqual([{ id: away, path: 'lab/away', name: 'Away', granted: true, external: true }]);
  expect(page.errors).toEqual([]);
  expect((await world.as.owner('GET', '/api/v4/measurements/elsewhere/errors?project=lab%2Foff')).status).toBe(404);
});
