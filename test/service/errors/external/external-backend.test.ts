import { describe, expect, test } from 'vitest';
import { externalBackend } from '../../../../src-main/service/errors/external/external-backend.ts';
import { connect, connectedBackend, externalWorld, token } from './external-world.ts';
import { sendJson, startDouble } from './sentry-double.ts';

const world = externalWorld();
const backend = async () => connectedBackend(world);
const hours = Array.from({ length: 24 }, (_, i) => [1_788_000_000 + i * 3600, i]);
const issue = {
  id: '18446744073709551615',
  shortId: 'BENCH-1',
  title: 'ValueError: no signal',
  culprit: 'bench.read in measure',
  permalink: 'https://sentry.example/organizations/lab/issues/1/',
  level: 'error',
  status: 'unresolved',
  substatus: 'regressed',
  platform: 'python',
  metadata: { type: 'ValueError', value: 'no signal' },
  count: '1234',
  userCount: 5,
  firstSeen: '2026-08-01T10:00:00.000000Z',
  lastSeen: '2026-08-28T12:30:00Z',
  stats: { '24h': hours, '30d': hours.slice(0, 20) },
  firstRelease: { version: 'bench@1.0' },
  lastRelease: null,
  tags: [
    { key: 'bench', name: 'Bench', totalValues: 3, topValues: [{ value: '7', count: 3 }] },
    { key: 'level', name: 'Level' },
  ],
};
const summary = {
  id: issue.id,
  title: 'ValueError: no signal',
  type: 'ValueError',
  value: 'no signal',
  culprit: 'bench.read in measure',
  level: 'error',
  platform: 'python',
  status: 'unresolved',
  regressed: true,
  events: 1234,
  users: 5,
  first_seen: '2026-08-01T10:00:00.000Z',
  last_seen: '2026-08-28T12:30:00.000Z',
  first_release: 'bench@1.0',
  last_release: null,
  hours: hours.map(([, n]) => n),
};
const asked = () => world.sentry.seen.map(({ method, path }) => `${method} ${path}`);

describe('an external backend', () => {
  test('is used while error tracking is on and the errors are on another server', async () => {
    expect(await connect(world.service, world.sentry, { active: false })).toBeNull();
    expect(await connect(world.service, world.sentry, { integrated: true })).toBeNull();
    expect(await connect(world.service, world.sentry)).not.toBeNull();
    expect(world.sentry.seen).toEqual([]);
  });

  test('lists the errors of Sentry, page by page', async () => {
    world.sentry.answer = (_one, response) =>
      sendJson(
        response,
        [
          issue,
          {
            ...issue,
            id: '2',
            status: 'muted',
            metadata: { title: 'Only a title' },
            stats: {},
            count: 3,
            userCount: null,
          },
        ],
        {
          link: '<https://elsewhere.example/?x>; rel="previous"; results="false"; cursor="a", <https://elsewhere.example/?y>; rel="next"; results="true"; cursor="1:100:0"',
        },
      );
    const { errors, next, total } = await (await backend()).list({ query: ' no signal ', limit: 25 });
    expect(errors[0]).toEqual(summary);
    expect(errors[1]).toMatchObject({
      id: '2',
      status: 'ignored',
      type: 'Only a title',
      value: '',
      events: 3,
      users: 0,
      hours: Array.from({ length: 24 }, () => 0),
    });
    expect([next, total]).toEqual(['1:100:0', null]);
    await (await backend()).list({ query: 'is:resolved', sort: 'events', cursor: '1:100:0', limit: 25 });
    for (const [sort, sent] of [
      ['first_seen', 'new'],
      ['users', 'user'],
      ['last_seen', null],
    ] as const) {
      await (await backend()).list({ query: '', sort, limit: 5 });
      expect(world.sentry.seen.at(-1)?.query.get('sort')).toBe(sent);
    }
    expect(world.sentry.seen.map(({ query }) => query.get('query'))).toEqual([
      'is:unresolved no signal',
      'is:resolved',
      ...Array.from({ length: 3 }, () => 'is:unresolved'),
    ]);
    expect(new Set(asked())).toEqual(new Set(['GET /api/0/projects/lab/bench/issues/']));
    expect(Object.fromEntries(world.sentry.seen[1]?.query ?? [])).toEqual({
      query: 'is:resolved',
      statsPeriod: '24h',
      limit: '25',
      sort: 'freq',
      cursor: '1:100:0',
    });
    expect(world.sentry.seen.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
  });

  test('asks for one error by organisation first, as current Sentry has it, and then without', async () => {
    world.sentry.answer = (one, response) =>
      one.path.startsWith('/api/0/organizations/lab/issues/')
        ? sendJson(response, issue)
        : void response.writeHead(404).end();
    const detail = await (await backend()).detail(issue.id);
    expect(detail).toEqual({
      ...summary,
      days: hours.slice(6, 20).map(([, n]) => n),
      releases: [],
      tags: [{ tag: 'bench', values: [{ value: '7', events: 3 }] }],
      groups: [],
      stored_events: 1234,
      backend: 'external',
      external_url: issue.permalink,
    });
    expect(asked()).toEqual([`GET /api/0/organizations/lab/issues/${issue.id}/`]);
    world.sentry.answer = (one, response) =>
      one.path.startsWith('/api/0/issues/') ? sendJson(response, issue) : void response.writeHead(404).end();
    expect((await (await backend()).detail(issue.id)).id).toBe(issue.id);
    expect(asked().slice(1)).toEqual([
      `GET /api/0/organizations/lab/issues/${issue.id}/`,
      `GET /api/0/issues/${issue.id}/`,
    ]);
    world.sentry.answer = (_one, response) => void response.writeHead(404).end();
    await expect((await backend()).detail('7')).rejects.toMatchObject({ status: 404 });
  });

  test('resolves errors on the other server', async () => {
    world.sentry.answer = (one, response) =>
      one.path.startsWith('/api/0/issues/') ? sendJson(response, issue) : void response.writeHead(404).end();
    const ids = Array.from({ length: 12 }, (_, i) => String(i + 1));
    await (await backend()).setStatus(ids, 'resolved');
    const done = world.sentry.seen.filter(({ path }) => path.startsWith('/api/0/issues/'));
    expect(done.map(({ path }) => path).toSorted()).toEqual(ids.map((id) => `/api/0/issues/${id}/`).toSorted());
    for (const { method, body, headers } of done)
      expect([method, body, headers['content-type']]).toEqual(['PUT', '{"status":"resolved"}', 'application/json']);
    world.sentry.answer = (_one, response) => void response.writeHead(403).end();
    await expect((await backend()).setStatus(['1'], 'resolved')).rejects.toMatchObject({
      kind: 'forbidden',
      status: 502,
    });
  });

  test('puts only digits and event ids into addresses', async () => {
    const own = await backend();
    for (const id of ['../../users', '1/../2', '', '1?x', 'a', '1'.repeat(21)])
      await expect(own.detail(id)).rejects.toMatchObject({ status: 404 });
    for (const which of ['../..', 'recommended', 'LATEST', ''])
      await expect(own.event('1', which)).rejects.toMatchObject({ status: 404 });
    expect(world.sentry.seen).toEqual([]);
  });

  test.each([
    ['no list', {}],
    ['an issue whose id is no number', [{ ...issue, id: '../x' }]],
    ['an issue without times', [{ id: '1', title: 'x' }]],
    ['a list of nothing', [null]],
  ])('reports %s as unreadable', async (_what, answer) => {
    world.sentry.answer = (_one, response) => sendJson(response, answer);
    await expect((await backend()).list({ query: '', limit: 5 })).rejects.toMatchObject({
      kind: 'not-sentry',
      status: 502,
    });
  });

  test('leaves out a link that is no web address, and tolerates strange members', async () => {
    for (const permalink of ['javascript:alert(1)', 'file:///etc/passwd', 7, null]) {
      const strange = {
        ...issue,
        permalink,
        stats: { '24h': 'x', '30d': [[1, -5], 'y', [2, 1e300]] },
        tags: [null, 3, { key: 'a', topValues: 'b' }],
        count: '1e99',
      };
      world.sentry.answer = (_one, response) => sendJson(response, strange);
      expect(await (await backend()).detail('1')).toMatchObject({
        external_url: null,
        events: 0,
        tags: [],
        hours: Array.from({ length: 24 }, () => 0),
      });
    }
    world.sentry.answer = (_one, response) =>
      response
        .writeHead(200)
        .end(
          '{"eventID":"0123456789abcdef0123456789abcdef","dateCreated":"2026-08-28T12:30:00Z","entries":{"__proto__":[]},"contexts":{"__proto__":{"polluted":1}},"user":[],"tags":[["a","b"]]}',
        );
    const { event } = await (await backend()).event('1', 'latest');
    expect(event).toMatchObject({ exceptions: [], tags: [], user: null, message: null });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('reports a project that is gone on the other server, and a token that cannot be decrypted', async () => {
    await expect((await backend()).list({ query: '', limit: 5 })).rejects.toMatchObject({
      kind: 'not-found',
      message: expect.stringContaining('lab/bench') as string,
    });
    const row = await world.service.services.errorSettings.of(world.service.projectId);
    if (!row) throw new Error('no settings');
    const other = await startDouble();
    try {
      await world.service.services.errorSettings.put({ ...row, api_url: `${other.origin}/api/0/projects/lab/bench` });
      const project = await world.service.services.projects.byPath('lab/qmr');
      if (!project) throw new Error('no project');
      await expect(externalBackend(world.service.services, project)).rejects.toMatchObject({ kind: 'token-missing' });
      expect(other.seen).toEqual([]);
    } finally {
      await other.end();
    }
  });
});
