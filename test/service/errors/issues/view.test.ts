import { describe, expect, it } from 'vitest';
import type { Intake } from '../../../../src-main/service/contract/error-views.ts';
import type { ErrorDetail, ErrorPage } from '../../../../src-main/service/contract/errors.ts';
import { startViewWorld } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startViewWorld);
const project = '/api/v4/projects/lab%2Fqmr';

const detail = async (id: string) => (await world.as.reporter('GET', `${world.errors}/${id}`)).body as ErrorDetail;

describe('changing errors', () => {
  it('resolves many at once, reopens those that recur, and says who did it', async () => {
    const [one, two] = [await world.event({ type: 'One' }), await world.event({ type: 'Two' })];
    expect((await world.as.reporter('PUT', world.errors, { ids: [one], status: 'resolved' })).status).toBe(403);
    expect(
      (await world.as.developer('PUT', world.errors, { ids: [one, two, '4711'], status: 'resolved' })).status,
    ).toBe(204);
    expect([(await detail(one)).status, (await detail(two)).status]).toEqual(['resolved', 'resolved']);
    await world.event({ type: 'One', at: Date.now() + 1000 });
    expect(await detail(one)).toMatchObject({ status: 'unresolved', regressed: true, events: 2 });
    await world.as.developer('PUT', world.errors, { ids: [one], status: 'resolved' });
    expect(await detail(one)).toMatchObject({ status: 'resolved', regressed: false });
    await world.as.developer('PUT', world.errors, { ids: [two], status: 'ignored' });
    await world.event({ type: 'Two', at: Date.now() + 1000 });
    expect((await detail(two)).status).toBe('ignored');
    const { rows } = await world.services.auditList.page(
      { userId: null, action: 'error.status', from: 0, before: Date.now() + 1 },
      10,
      0,
    );
    expect(rows.at(-1)).toMatchObject({ username: 'developer', detail: '2 resolved in lab/qmr' });
  });

  it('does not reach errors of other projects', async () => {
    const other = await world.services.projects.create('lab/other', 'Other');
    const foreign = await world.event({ type: 'Foreign', projectId: other?.id ?? 0 });
    await world.as.maintainer('PUT', world.errors, { ids: [foreign], status: 'resolved' });
    await world.as.maintainer('DELETE', world.errors, { ids: [foreign] });
    expect((await world.as.steward('GET', `/api/v4/projects/${other?.id}/errors/${foreign}`)).body).toMatchObject({
      status: 'unresolved',
      stored_events: 1,
    });
  });

  it('deletes errors with all their rows, more than one transaction takes', async () => {
    const gone = await world.event({ type: 'Gone', user: 'alice', tags: { bench: '1' } });
    for (let i = 0; i < 1200; i += 1) await world.event({ type: 'Gone', user: `u${i}` });
    expect((await world.as.developer('DELETE', world.errors, { ids: [gone] })).status).toBe(403);
    expect((await world.as.maintainer('DELETE', world.errors, { ids: [gone, '4711'] })).status).toBe(204);
    expect((await world.as.reporter('GET', `${world.errors}/${gone}`)).status).toBe(404);
    const again = await world.event({ type: 'Gone' });
    expect(Number(again)).toBeGreaterThan(Number(gone));
    expect((await detail(again)).events).toBe(1);
  });

  it('merges errors and separates them', async () => {
    const [one, two] = [await world.event({ type: 'MergeA' }), await world.event({ type: 'MergeB' })];
    expect((await world.as.reporter('POST', `${world.errors}/merge`, { ids: [one, two] })).status).toBe(403);
    expect(await world.as.developer('POST', `${world.errors}/merge`, { ids: [two, one] })).toMatchObject({
      status: 200,
      body: { id: one },
    });
    const merged = await detail(one);
    expect(merged).toMatchObject({ events: 2, stored_events: 2 });
    expect((await world.as.reporter('GET', `${world.errors}/${one}/events/latest`)).body).toMatchObject({
      position: 2,
      of: 2,
    });
    const groups = [merged.groups.at(-1)?.id];
    const { status, body } = await world.as.developer('POST', `${world.errors}/${one}/unmerge`, { groups });
    expect(status).toBe(200);
    expect(await detail((body as { id: string }).id)).toMatchObject({ events: 1, type: 'MergeB' });
    expect((await world.as.developer('POST', `${world.errors}/${one}/unmerge`, { groups })).status).toBe(404);
  });
});

describe('a project as a whole', () => {
  it('takes a test event once error tracking is on, and counts it', async () => {
    expect((await world.as.developer('POST', `${project}/error_tracking/test_event`)).status).toBe(409);
    await world.as.maintainer('PUT', `${project}/error_tracking/settings`, { active: true, integrated: true });
    expect((await world.as.reporter('POST', `${project}/error_tracking/test_event`)).status).toBe(403);
    const before = (await world.as.reporter('GET', `${project}/error_tracking/intake`)).body as Intake;
    const { status, body } = await world.as.developer('POST', `${project}/error_tracking/test_event`);
    expect(status).toBe(201);
    const found = (await world.as.reporter('GET', `${world.errors}?query=environment:test`)).body as ErrorPage;
    expect(found.errors.map(({ type }) => type)).toEqual(['TestEvent']);
    const event = await world.as.reporter(
      'GET',
      `${world.errors}/${found.errors[0]?.id}/events/${(body as { id: string }).id}`,
    );
    expect(event.status).toBe(200);
    await world.services.ingestCounts.add([
      { projectId: world.projectId, hour: Math.floor(Date.now() / 3600_000), outcome: 'rate-limit', count: 3 },
    ]);
    const after = (await world.as.reporter('GET', `${project}/error_tracking/intake`)).body as Intake;
    expect(after.hours).toHaveLength(24);
    expect(after.hours.at(-1)?.accepted).toBe((before.hours.at(-1)?.accepted ?? 0) + 1);
    expect(after.hours.at(-1)?.dropped).toEqual({ 'rate-limit': 3 });
  });
});
