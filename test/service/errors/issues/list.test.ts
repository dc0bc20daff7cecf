import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorPage } from '../../../../src-main/service/contract/errors.ts';
import { startViewWorld } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const hour = 3600_000;
const now = Date.now();
const world = useWorld(startViewWorld);
const ids: Record<string, string> = {};

beforeAll(async () => {
  for (let i = 0; i < 3; i += 1) {
    ids['often'] = await world.event({
      type: 'OftenError',
      value: 'again 100% wrong',
      at: now - (2 - i) * hour,
      user: `u${i}`,
      release: 'qmr@1.0',
      environment: 'lab',
    });
  }
  ids['old'] = await world.event({
    type: 'OldError',
    value: 'first of all',
    at: now - 20 * hour,
    level: 'fatal',
    release: 'qmr@0.9',
    tags: { bench: 'left one' },
  });
  ids['new'] = await world.event({
    type: 'NewError',
    value: 'https://host/x failed: GRÖSSE, Größe',
    at: now - 60_000,
    level: 'warning',
    environment: 'desk',
  });
  ids['done'] = await world.event({ type: 'DoneError', value: 'repaired', at: now - hour, environment: 'lab' });
  await world.as.developer('PUT', world.errors, { ids: [ids['done']], status: 'resolved' });
});

async function list(query: Record<string, string>): Promise<ErrorPage> {
  const { status, body } = await world.as.reporter('GET', `${world.errors}?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return body as ErrorPage;
}
const names = (page: ErrorPage) => page.errors.map(({ type }) => type.replace('Error', ''));
const search = async (query: string) => names(await list({ query, sort: 'first_seen' }));

describe('the error list', () => {
  it('shows unresolved errors, the newest first, with counts, users and bars', async () => {
    const page = await list({});
    expect(names(page)).toEqual(['Often', 'New', 'Old']);
    expect(page.total).toBe(3);
    expect(page.next).toBeNull();
    const [often] = page.errors;
    expect(often).toMatchObject({
      id: ids['often'],
      title: 'OftenError: again 100% wrong',
      events: 3,
      users: 3,
      first_release: 'qmr@1.0',
      regressed: false,
    });
    expect(often?.hours).toHaveLength(24);
    expect(often?.hours.slice(-3)).toEqual([1, 1, 1]);
    expect(often?.hours.slice(0, -3).every((count) => count === 0)).toBe(true);
  });

  it('sorts by each of its columns', async () => {
    expect(names(await list({ sort: 'first_seen' }))).toEqual(['New', 'Often', 'Old']);
    expect(names(await list({ sort: 'events' }))[0]).toBe('Often');
    expect(names(await list({ sort: 'users' }))[0]).toBe('Often');
    expect((await world.as.reporter('GET', `${world.errors}?sort=title`)).status).toBe(400);
  });

  it.each([
    ['is:resolved', ['Done']],
    ['is:resolved is:unresolved', ['New', 'Done', 'Often', 'Old']],
    ['is:ignored', []],
    ['level:fatal', ['Old']],
    ['release:qmr@1.0', ['Often']],
    ['environment:lab', ['Often']],
    ['environment:lab is:resolved', ['Done']],
    ['bench:"left one"', ['Old']],
    ['bench:left', []],
    ['AGAIN wrong', ['Often']],
    ['"again 100%"', ['Often']],
    ['"100_"', []],
    ['größe', ['New']],
    ['GRÖẞE, grösse', ['New']],
    ['größe_', []],
    ['OldError: first', ['Old']],
    ['https://host/x', ['New']],
    ['f_NewError', ['New']],
    ["' OR 1=1 --", []],
  ])('finds with %s', async (query, expected) => {
    expect(await search(query)).toEqual(expected);
  });

  it('refuses a search that makes no sense', async () => {
    expect((await world.as.reporter('GET', `${world.errors}?query=is:open`)).status).toBe(400);
    expect((await world.as.reporter('GET', `${world.errors}?query=${'a+'.repeat(30)}`)).status).toBe(400);
  });

  it('gives every error once over all pages, also with equal values', async () => {
    for (const sort of ['last_seen', 'first_seen', 'events', 'users']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let page = 0; cursor !== null && page < 10; page += 1) {
        const found: ErrorPage = await list({
          query: 'is:unresolved is:resolved',
          sort,
          limit: '1',
          ...(cursor === '' ? {} : { cursor }),
        });
        seen.push(...found.errors.map(({ id }) => id));
        expect(found.total).toBe(page === 0 ? 4 : null);
        cursor = found.next;
      }
      expect(seen.toSorted()).toEqual(Object.values(ids).toSorted());
      const whole = await list({ query: 'is:unresolved is:resolved', sort });
      expect(seen).toEqual(whole.errors.map(({ id }) => id));
    }
  });

  it('refuses a cursor of another order, and a malformed one', async () => {
    const { next } = await list({ limit: '1' });
    expect((await world.as.reporter('GET', `${world.errors}?sort=events&cursor=${next}`)).status).toBe(400);
    expect((await world.as.reporter('GET', `${world.errors}?cursor=zzz`)).status).toBe(400);
  });

  it('is for members, and gone while Monitor is off', async () => {
    expect((await world.as.outsider('GET', world.errors)).status).toBe(404);
    expect((await world.with(null)('GET', world.errors)).status).toBe(401);
    await world.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: false });
    const { status, body } = await world.as.reporter('GET', '/api/v4/projects/lab%2Fqmr/errors');
    expect([status, (body as { type: string }).type]).toEqual([404, 'urn:benchport:problem:monitor-off']);
    await world.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: true });
    expect((await world.as.reporter('GET', '/api/v4/projects/lab%2Fqmr/errors')).status).toBe(200);
  });
});
