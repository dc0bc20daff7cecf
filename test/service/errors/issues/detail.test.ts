import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorDetail, ErrorEventPage } from '../../../../src-main/service/contract/errors.ts';
import { startViewWorld } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const hour = 3600_000;
const day = 24 * hour;
const now = Date.now();
const eventIds = ['1', '2', '3', '4'].map((digit) => digit.repeat(32));
const world = useWorld(startViewWorld);
let id: string;

beforeAll(async () => {
  const when = [now - 20 * day, now - 3 * day, now - 2 * hour, now];
  const release = ['qmr@0.8', 'qmr@0.9', 'qmr@0.9', 'qmr@1.0'];
  for (const [index, eventId] of eventIds.entries()) {
    id = await world.event({
      id: eventId,
      at: when[index],
      release: release[index],
      environment: index === 3 ? 'desk' : 'lab',
      user: index < 2 ? 'alice' : 'bob',
    });
    await world.event({ type: 'OtherError', at: when[index] });
  }
});

const get = async (rest: string) => world.as.reporter('GET', `${world.errors}/${id}${rest}`);
const page = async (which: string) => (await get(`/events/${which}`)).body as ErrorEventPage;

describe('the detail of an error', () => {
  it('has counts, bars by hour and day, releases, tags and groups', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    const detail = body as ErrorDetail;
    expect(detail).toMatchObject({
      id,
      events: 4,
      users: 2,
      stored_events: 4,
      first_release: 'qmr@0.8',
      last_release: 'qmr@1.0',
      backend: 'integrated',
    });
    expect([detail.first_seen, detail.last_seen]).toEqual([
      new Date(now - 20 * day).toISOString(),
      new Date(now).toISOString(),
    ]);
    expect(detail.hours.reduce((sum, count) => sum + count)).toBe(2);
    expect(detail.days).toHaveLength(14);
    expect(detail.days.reduce((sum, count) => sum + count)).toBe(3);
    expect(detail.days[10]).toBe(1);
    expect(detail.releases).toEqual([
      { release: 'qmr@0.9', first_seen: new Date(now - 3 * day).toISOString() },
      { release: 'qmr@1.0', first_seen: new Date(now).toISOString() },
    ]);
    expect(detail.tags.find(({ tag }) => tag === 'environment')?.values).toEqual([
      { value: 'lab', events: 3 },
      { value: 'desk', events: 1 },
    ]);
    expect(detail.groups).toHaveLength(1);
    expect(detail.groups[0]?.events).toBe(4);
  });

  it('is not found in another project, nor under an impossible number', async () => {
    const other = await world.services.projects.create('lab/other', 'Other');
    expect((await world.as.steward('GET', `/api/v4/projects/${other?.id}/errors/${id}`)).status).toBe(404);
    expect((await get('0')).status).toBe(404);
    expect((await world.as.reporter('GET', `${world.errors}/99999999999999999999`)).status).toBe(404);
    expect((await world.as.outsider('GET', `${world.errors}/${id}`)).status).toBe(404);
  });
});

describe('the events of an error', () => {
  it('are read from the oldest to the latest and back', async () => {
    expect(await page('oldest')).toMatchObject({
      event: { event_id: eventIds[0] },
      previous: null,
      next: eventIds[1],
      position: 1,
      of: 4,
    });
    expect(await page('latest')).toMatchObject({
      event: { event_id: eventIds[3] },
      previous: eventIds[2],
      next: null,
      position: 4,
      of: 4,
    });
    expect(await page(eventIds[1] ?? '')).toMatchObject({ previous: eventIds[0], next: eventIds[2], position: 2 });
  });

  it('are found by ids with dashes, and not in another error', async () => {
    expect((await page('22222222-2222-2222-2222-222222222222')).event.event_id).toBe(eventIds[1]);
    const other = await world.event({ type: 'OtherError', id: '5'.repeat(32) });
    expect(other).not.toBe(id);
    expect((await get(`/events/${'5'.repeat(32)}`)).status).toBe(404);
    expect((await get('/events/newest')).status).toBe(404);
  });

  it('include the raw event as a file', async () => {
    const { status, headers, body } = await get('/events/latest/raw');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toContain(`filename="event-${eventIds[3]}.json"`);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toEqual((await page('latest')).event);
  });
});
