import { beforeAll, expect, it } from 'vitest';
import type { EventCounts, ErrorPageOfProjects } from '../../../../src-main/service/contract/error-overview.ts';
import type { Person } from '../project-fixture.ts';
import { startViewWorld } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const hour = 3600_000;
const now = Date.now();
const world = useWorld(startViewWorld);
let hidden: number;

beforeAll(async () => {
  const add = async (path: string): Promise<number> => (await world.services.projects.create(path, path))?.id ?? 0;
  const second = await add('lab/second');
  hidden = await add('lab/hidden');
  await world.services.projects.setMember(second, world.userIds.reporter, 'reporter');
  for (let index = 0; index < 6; index += 1) {
    const projectId = index % 2 === 0 ? world.projectId : second;
    await world.event({ type: `Error${index}`, value: 'x', at: now - index * hour, projectId });
  }
  await world.event({ type: 'Secret', value: 'x', at: now, projectId: hidden });
});

async function list(query: string, person: Person = 'reporter'): Promise<ErrorPageOfProjects> {
  const { status, body } = await world.as[person]('GET', `/api/v4/errors${query}`);
  expect(status).toBe(200);
  return body as ErrorPageOfProjects;
}
const rows = (page: ErrorPageOfProjects) => page.errors.map(({ type, project }) => `${type} ${project.path}`);

it('lists the errors of all projects of a member in one order, with their project', async () => {
  const page = await list('');
  expect(rows(page)).toEqual([
    'Error0 lab/qmr',
    'Error1 lab/second',
    'Error2 lab/qmr',
    'Error3 lab/second',
    'Error4 lab/qmr',
    'Error5 lab/second',
  ]);
  expect([page.total, page.next]).toEqual([6, null]);
  expect(page.errors[1]?.hours.slice(-2)).toEqual([1, 0]);
  expect(rows(await list('?query=Error3'))).toEqual(['Error3 lab/second']);
  expect(rows(await list('?sort=first_seen&limit=1'))).toEqual(['Error0 lab/qmr']);
});

it('does not show errors of projects that the user may not see', async () => {
  expect(rows(await list('', 'outsider'))).toEqual([]);
  expect(rows(await list('', 'developer'))).toEqual(['Error0 lab/qmr', 'Error2 lab/qmr', 'Error4 lab/qmr']);
  expect(rows(await list('', 'steward'))).toContain('Secret lab/hidden');
  expect((await world.with(null)('GET', '/api/v4/errors')).status).toBe(401);
  expect((await world.as.reporter('GET', '/api/v4/errors?cursor=nonsense')).status).toBe(400);
});

it('continues behind a page, over all projects, with each error once', async () => {
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page < 10; page += 1) {
    const answer = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...rows(answer));
    expect(answer.total).toBe(page === 0 ? 6 : null);
    if (answer.next === null) break;
    cursor = answer.next;
  }
  expect(seen).toEqual(rows(await list('')));
});

it('leaves out projects whose Monitor is off', async () => {
  await world.services.projects.change(hidden, 'hidden', false);
  expect(rows(await list('', 'steward'))).not.toContain('Secret lab/hidden');
  await world.services.projects.change(hidden, 'hidden', true);
});

it('counts events by hour and by day, with the refused ones', async () => {
  const read = async (period: string): Promise<EventCounts> =>
    (await world.as.reporter('GET', `/api/v4/projects/${world.projectId}/error_tracking/event_counts?period=${period}`))
      .body as EventCounts;
  const sums = ({ steps }: EventCounts) => steps.reduce((sum, { accepted }) => sum + accepted, 0);
  const day = await read('24h');
  expect([day.step_hours, day.steps.length]).toEqual([1, 24]);
  expect(day.steps.map(({ accepted }) => accepted).slice(-5)).toEqual([1, 0, 1, 0, 1]);
  const fortnight = await read('14d');
  expect([fortnight.step_hours, fortnight.steps.length, sums(fortnight)]).toEqual([1, 336, 3]);
  const quarter = await read('90d');
  expect([quarter.step_hours, quarter.steps.length, sums(quarter)]).toEqual([24, 90, 3]);
  expect(
    (await world.as.reporter('GET', `/api/v4/projects/${world.projectId}/error_tracking/event_counts?period=1y`))
      .status,
  ).toBe(400);
  expect(
    (await world.as.outsider('GET', `/api/v4/projects/${world.projectId}/error_tracking/event_counts`)).status,
  ).toBe(404);
});
