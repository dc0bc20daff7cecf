import { expect, it } from 'vitest';
import { useWorld } from '../use-service.ts';
import { began, minuteMs, startTimelineWorld } from './timeline-world.ts';

const dayMs = 86_400_000;
const world = useWorld(startTimelineWorld);
const ids = (page: { readonly measurements: readonly { readonly id: string; readonly events: number }[] }) =>
  page.measurements.map(({ id, events }) => `${id} ${events}`);

it('lists the runs in whose windows an error has events, the last registered first', async () => {
  await world.run('early', { times: [began - 2 * 3600_000, began - 3600_000] });
  await world.run('first', { times: [began, began + minuteMs] });
  await world.run('second', { times: [began, began + 10 * minuteMs], title: 'Second run' });
  await world.run('without', { times: null });
  await world.run('endless', { times: [began - 40 * dayMs, began] });
  await world.run('long', { times: [began - 5 * dayMs, began] });
  const error = await world.event({ type: 'Valve', value: 'stuck', at: began });
  await world.event({ type: 'Valve', value: 'stuck', at: began + 12 * minuteMs });
  expect(ids(await world.runsOf(error))).toEqual(['long 2', 'second 2', 'first 1']);
  expect((await world.runsOf(error)).measurements[1]).toEqual({
    id: 'second',
    title: 'Second run',
    began_at: new Date(began).toISOString(),
    ended_at: new Date(began + 10 * minuteMs).toISOString(),
    events: 2,
  });
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await world.runsOf(error, 'reporter', `?limit=1${cursor}`);
    seen.push(...ids(page));
    cursor = page.next === null ? '' : `&cursor=${page.next}`;
  } while (cursor !== '');
  expect(seen).toEqual(['long 2', 'second 2', 'first 1']);
});

it('agrees with the list of errors of a run at its edges', async () => {
  const start = began - 10 * dayMs;
  await world.run('edges', { times: [start, start] });
  const { window } = await world.errorsOf('edges');
  const [from, until] = [Date.parse(window?.from ?? ''), Date.parse(window?.until ?? '')];
  for (const [type, at, isIn] of [
    ['JustBefore', from - 1, false],
    ['First', from, true],
    ['Last', until - 1, true],
    ['JustAfter', until, false],
  ] as const) {
    const error = await world.event({ type, value: 'edge', at });
    expect([type, ids(await world.runsOf(error))]).toEqual([type, isIn ? ['edges 1'] : []]);
  }
});

it('has the runs of all errors that were merged', async () => {
  const start = began - 12 * dayMs;
  await world.run('one', { times: [start, start] });
  await world.run('other', { times: [start - 3600_000, start - 3600_000] });
  const one = await world.event({ type: 'MergedOne', value: 'x', at: start });
  const other = await world.event({ type: 'MergedOther', value: 'x', at: start - 3600_000 });
  await world.as.maintainer('POST', `${world.errors}/merge`, { ids: [one, other] });
  expect(ids(await world.runsOf(other))).toEqual(['other 1', 'one 1']);
});

it('shows only runs that the caller may read, and that are still there', async () => {
  const start = began - 14 * dayMs;
  const at = { times: [start, start] } as const;
  await world.run('of-reporter', at);
  await world.run('of-project', { ...at, owner: 'owner', granted: [world.projectId] });
  await world.run('of-owner', { ...at, owner: 'owner' });
  const error = await world.event({ type: 'Pump', value: 'off', at: start });
  expect(ids(await world.runsOf(error, 'reporter'))).toEqual(['of-project 1', 'of-reporter 1']);
  expect(ids(await world.runsOf(error, 'developer'))).toEqual(['of-project 1']);
  expect(ids(await world.runsOf(error, 'steward'))).toEqual(['of-owner 1', 'of-project 1', 'of-reporter 1']);
  await world.services.measurements.remove('of-project');
  expect(ids(await world.runsOf(error, 'developer'))).toEqual([]);
  const { status } = await world.as.outsider('GET', `${world.errors}/${error}/measurements`);
  expect(status).toBe(404);
  const get = async (path: string) => (await world.as.reporter('GET', `${world.errors}/${path}`)).status;
  expect([await get('999999/measurements'), await get(`${error}/measurements?cursor=nonsense`)]).toEqual([404, 400]);
});
