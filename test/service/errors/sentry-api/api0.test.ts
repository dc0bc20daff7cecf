import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorDetail, ErrorEventPage, ErrorPage } from '../../../../src-main/service/contract/errors.ts';
import { startProjectService, type ProjectService } from '../project-fixture.ts';
import { allowLoopback } from '../external/external-world.ts';
import { startViewWorld, type ViewWorld } from '../view-world.ts';

const now = Date.now();
const chain = {
  exception: {
    values: [
      { type: 'OSError', value: 'no such device' },
      {
        type: 'FirstError',
        value: 'no signal',
        mechanism: { handled: false },
        stacktrace: {
          frames: [
            {
              function: 'f_FirstError',
              module: 'bench',
              filename: 'bench.py',
              abs_path: '/lab/bench.py',
              lineno: 7,
              colno: 3,
              in_app: true,
              pre_context: ['a', 'b'],
              context_line: 'c',
              post_context: ['d'],
              vars: { x: '1' },
            },
          ],
        },
      },
    ],
  },
};
let far: ViewWorld;
let near: ProjectService;
let ids: string[];

/** `near` has `far` as its external backend. */
beforeAll(async () => {
  [far, near] = await Promise.all([startViewWorld(), startProjectService()]);
  await allowLoopback(near);
  ids = [];
  for (const [index, type] of ['First', 'Second', 'Third'].entries())
    ids.push(
      await far.event({
        type: `${type}Error`,
        value: 'no signal',
        at: now - (3 - index) * 60_000,
        ...(index === 0 ? { more: chain } : {}),
      }),
    );
  await far.event({
    type: 'FirstError',
    at: now,
    level: 'fatal',
    release: 'qmr@1.0',
    environment: 'lab',
    user: 'alice',
    tags: { bench: 'left' },
    more: {
      logger: 'root',
      server_name: 'bench-7',
      extra: { gain: 3 },
      modules: { numpy: '2.0' },
      breadcrumbs: [{ category: 'scan', message: 'started', timestamp: now / 1000 }],
      ...chain,
    },
  });
  await far.as.maintainer('PUT', '/api/v4/projects/lab%2Fqmr/error_tracking/settings', {
    active: true,
    integrated: true,
  });
  const token = await far.token(far.userIds.developer, ['api']);
  const settings = await near.as.maintainer('PUT', '/api/v4/projects/lab%2Fqmr/error_tracking/settings', {
    active: true,
    integrated: false,
    api_url: `http://127.0.0.1:${far.port}/api/0/projects/lab/qmr`,
    token,
  });
  expect(settings.status).toBe(200);
});
afterAll(async () => Promise.all([far.end(), near.end()]));

const nearErrors = '/api/v4/projects/lab%2Fqmr/errors';

describe('another service as external backend', () => {
  it('is found by the connection check, with the projects of the token', async () => {
    const token = await far.token(far.userIds.reporter, ['read_api']);
    const query = new URLSearchParams({ api_host: `http://127.0.0.1:${far.port}`, token });
    const { status, body } = await near.as.maintainer('GET', `/lab/qmr/-/error_tracking/projects.json?${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      projects: [
        { id: String(far.projectId), name: 'QMR', slug: 'qmr', organization_slug: 'lab', organization_name: 'lab' },
      ],
    });
  });

  it('lists the same errors, page by page, in every order', async () => {
    for (const sort of ['last_seen', 'first_seen', 'events', 'users']) {
      const there = (await far.as.reporter('GET', `${far.errors}?sort=${sort}`)).body as ErrorPage;
      const here: ErrorPage['errors'] = [];
      let cursor = '';
      for (let page = 0; page < 5; page += 1) {
        const one = (await near.as.reporter('GET', `${nearErrors}?sort=${sort}&limit=2${cursor}`)).body as ErrorPage;
        here.push(...one.errors);
        if (one.next === null) break;
        cursor = `&cursor=${encodeURIComponent(one.next)}`;
      }
      expect(here).toEqual(there.errors);
      expect(here).toHaveLength(3);
    }
    const found = (await near.as.reporter('GET', `${nearErrors}?query=environment:lab`)).body as ErrorPage;
    expect(found.errors.map(({ type }) => type)).toEqual(['FirstError']);
  });

  it('shows the same detail and the same events', async () => {
    const there = (await far.as.reporter('GET', `${far.errors}/${ids[0]}`)).body as ErrorDetail;
    const here = (await near.as.reporter('GET', `${nearErrors}/${ids[0]}`)).body as ErrorDetail;
    const byName = (detail: ErrorDetail) => detail.tags.toSorted((a, b) => a.tag.localeCompare(b.tag));
    expect({ ...here, tags: byName(here) }).toEqual({
      ...there,
      tags: byName(there),
      groups: [],
      releases: [],
      backend: 'external',
      external_url: `http://127.0.0.1:${far.port}/lab/qmr/-/error_tracking/${ids[0]}`,
    });
    const event = async (world: ProjectService, path: string, which: string) =>
      (await world.as.reporter('GET', `${path}/${ids[0]}/events/${which}`)).body as ErrorEventPage;
    const [original, seen] = [await event(far, far.errors, 'latest'), await event(near, nearErrors, 'latest')];
    const { tags, transaction, ...rest } = seen.event;
    expect(rest).toEqual({ ...original.event, tags: undefined, transaction: undefined });
    expect(tags).toContainEqual(['bench', 'left']);
    expect(transaction).toBe(original.event.transaction);
    expect(seen).toMatchObject({ previous: original.previous, next: null });
    expect((await event(near, nearErrors, original.previous ?? '')).next).toBe(original.event.event_id);
    expect((await event(near, nearErrors, 'oldest')).event.event_id).toBe(original.previous);
  });

  it('changes the status there, and cannot delete or merge', async () => {
    expect((await near.as.developer('PUT', nearErrors, { ids: [ids[1]], status: 'ignored' })).status).toBe(204);
    expect((await far.as.reporter('GET', `${far.errors}/${ids[1]}`)).body).toMatchObject({ status: 'ignored' });
    expect((await near.as.reporter('GET', `${nearErrors}/${ids[1]}`)).body).toMatchObject({ status: 'ignored' });
    expect((await near.as.owner('DELETE', nearErrors, { ids: [ids[1]] })).status).toBe(409);
    expect((await near.as.owner('POST', `${nearErrors}/merge`, { ids })).status).toBe(409);
    expect((await near.as.developer('PUT', nearErrors, { ids: ['4711'], status: 'ignored' })).status).toBe(404);
  });
});

describe("the subset of Sentry's interface", () => {
  it('refuses users outside the project, and lets readers change nothing', async () => {
    for (const path of [
      '/api/0/projects/lab/qmr/issues/',
      `/api/0/issues/${ids[0]}/`,
      `/api/0/organizations/lab/issues/${ids[0]}/events/latest/`,
    ]) {
      expect((await far.as.outsider('GET', path)).status).toBe(404);
      expect((await far.with(null)('GET', path)).status).toBe(401);
      expect((await far.as.reporter('GET', path)).status).toBe(200);
    }
    expect((await far.as.reporter('PUT', `/api/0/issues/${ids[0]}/`, { status: 'resolved' })).status).toBe(403);
    expect((await far.as.reporter('GET', `/api/0/organizations/other/issues/${ids[0]}/`)).status).toBe(404);
    expect((await far.as.outsider('GET', '/api/0/projects/')).body).toEqual([]);
  });

  it('answers a missing issue and a missing event with 404', async () => {
    expect((await far.as.reporter('GET', '/api/0/issues/4711/')).status).toBe(404);
    expect((await far.as.reporter('GET', `/api/0/issues/${ids[0]}/events/${'0'.repeat(32)}/`)).status).toBe(404);
  });

  it('distinguishes paths of one and of three parts', async () => {
    for (const path of ['solo', 'lab/a/deep']) {
      const project = await far.services.projects.create(path, path);
      await far.event({ type: 'Deep', projectId: project?.id ?? 0 });
    }
    const projects = (await far.as.steward('GET', '/api/0/projects/')).body as {
      slug: string;
      organization: { slug: string };
    }[];
    const pairs = projects.map((one) => `${one.organization.slug} ${one.slug}`);
    expect(pairs.toSorted()).toEqual(['- solo', 'lab qmr', 'lab~a deep']);
    for (const pair of pairs) {
      const { status, body } = await far.as.steward('GET', `/api/0/projects/${pair.replace(' ', '/')}/issues/`);
      expect([status, (body as unknown[]).length > 0]).toEqual([200, true]);
    }
  });
});
