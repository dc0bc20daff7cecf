import { describe, expect, test } from 'vitest';
import type { ExternalProject } from '../../../../src-main/service/contract/errors.ts';
import { browserAt } from '../../browser.ts';
import { addUser } from '../../people.ts';
import { bench, checkConnection, connect, externalWorld, failed, lab, modern, token } from './external-world.ts';
import { sendJson, type Double } from './sentry-double.ts';

const world = externalWorld();

const check = async (host: string, sentToken?: string, by?: 'maintainer' | 'developer' | 'outsider') =>
  checkConnection(world.service, host, by, sentToken);
const expected: ExternalProject = {
  id: '12',
  name: 'Bench',
  slug: 'bench',
  status: 'active',
  organization_id: '7',
  organization_name: 'The lab',
  organization_slug: 'lab',
};
/** The API that GitLab uses: one list of all projects. */
const older: Double['answer'] = ({ path: address }, response) => {
  if (address === '/api/0/projects/') sendJson(response, [{ ...bench, organization: lab }]);
  else response.writeHead(404).end();
};

describe('the connection check', () => {
  test('lists the projects of a current and of an older server', async () => {
    world.sentry.answer = modern;
    const answer = await check(world.sentry.origin);
    expect(answer).toMatchObject({ status: 200, body: { projects: [expected] } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const { headers, method } of world.sentry.seen) {
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect([method, headers['private-token'], headers.cookie]).toEqual(['GET', undefined, undefined]);
    }
    world.sentry.answer = older;
    for (const host of [
      world.sentry.origin,
      `${world.sentry.origin}/`,
      `${world.sentry.origin}/api/0/projects/`,
      ` ${world.sentry.origin} `,
    ]) {
      expect(await check(host), host).toMatchObject({ status: 200, body: { projects: [expected] } });
    }
    world.sentry.answer = (one, response) => older({ ...one, path: one.path.replace('/prefix/', '/') }, response);
    expect((await check(`${world.sentry.origin}/prefix/api/0/projects/lab/bench/`)).status).toBe(200);
    expect(world.sentry.seen.at(-1)?.path).toBe('/prefix/api/0/projects/');
  });

  test('falls back to the older list when the token may not list organisations', async () => {
    for (const status of [401, 403, 500]) {
      world.sentry.answer = (one, response) =>
        one.path === '/api/0/organizations/' ? void response.writeHead(status).end() : older(one, response);
      expect(await check(world.sentry.origin)).toMatchObject({ status: 200, body: { projects: [expected] } });
    }
  });

  test('follows pages by their cursor, on its own server only', async () => {
    world.sentry.answer = (one, response) => {
      if (one.path !== '/api/0/projects/') return void response.writeHead(404).end();
      const first = one.query.get('cursor') === null;
      const link = (cursor: string, results: boolean) =>
        `<${world.elsewhere.origin}/api/0/projects/?cursor=${cursor}>; rel="next"; results="${results}"; cursor="${cursor}"`;
      return sendJson(response, [{ ...bench, slug: first ? 'one' : 'two', organization: lab }], {
        link: link(first ? '0:100:0' : '0:200:0', first),
      });
    };
    const { body } = await check(world.sentry.origin);
    expect((body as { projects: ExternalProject[] }).projects.map(({ slug }) => slug)).toEqual(['one', 'two']);
    expect(world.elsewhere.seen).toEqual([]);
  });

  test('succeeds on a server without projects', async () => {
    world.sentry.answer = (one, response) =>
      one.path === '/api/0/projects/' ? sendJson(response, []) : void response.writeHead(404).end();
    expect(await check(world.sentry.origin)).toMatchObject({ status: 200, body: { projects: [] } });
  });

  test('is a 404 while Monitor is off, and sends no request', async () => {
    await world.service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: false });
    world.sentry.answer = modern;
    expect((await check(world.sentry.origin)).status).toBe(404);
    expect(world.sentry.seen).toEqual([]);
    await world.service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: true });
    expect((await check(world.sentry.origin)).status).toBe(200);
  });

  test('is for maintainers with the scope api, and sends no request for others', async () => {
    world.sentry.answer = modern;
    expect((await check(world.sentry.origin, token, 'developer')).status).toBe(403);
    expect(await check(world.sentry.origin, token, 'outsider')).toMatchObject({
      status: 404,
      body: { message: '404 Project Not Found' },
    });
    const query = `?api_host=${encodeURIComponent(world.sentry.origin)}&token=${token}`;
    expect((await world.service.with(null)('GET', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(401);
    const reading = world.service.with(await world.service.token(world.service.userIds.owner, ['read_api']));
    expect((await reading('GET', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(403);
    expect((await world.service.as.owner('GET', `/lab/nowhere/-/error_tracking/projects.json${query}`)).status).toBe(
      404,
    );
    expect(
      (await world.service.as.owner('GET', `/${world.service.projectId}/-/error_tracking/projects.json${query}`))
        .status,
    ).toBe(404);
    expect(world.sentry.seen).toEqual([]);
    expect((await world.service.as.owner('GET', `/LAB/qmr/-/error_tracking/projects.json${query}`)).status).toBe(200);
    expect((await world.service.as.owner('POST', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(405);
  });
});

describe('the connection check in a signed-in browser', () => {
  test('works from our pages, and not from other origins', async () => {
    const password = 'a long password of alice';
    const { id } = await addUser(world.service.services, 'alice', { password });
    await world.service.services.projects.setMember(world.service.projectId, id, 'maintainer');
    const browser = browserAt(world.service);
    expect((await browser.signIn('alice', password)).status).toBe(303);
    world.sentry.answer = modern;
    const query = new URLSearchParams({ api_host: world.sentry.origin, token }).toString();
    const ask = async (headers: Record<string, string>) =>
      (await browser.get(`/lab/qmr/-/error_tracking/projects.json?${query}`, headers)).status;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ])
      expect(await ask(headers)).toBe(403);
    expect(world.sentry.seen).toEqual([]);
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  });
});

describe('the stored token', () => {
  test('is used to check its own server, and is sent to no other', async () => {
    await connect(world.service, world.sentry);
    world.sentry.answer = modern;
    world.elsewhere.answer = modern;
    for (const masked of ['', '********']) {
      expect((await check(world.sentry.origin, masked)).status).toBe(200);
      expect(world.sentry.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
      expect(await check(world.elsewhere.origin, masked)).toMatchObject(
        failed('token-missing', /is sent nowhere else/),
      );
      expect(await check(world.sentry.origin.replace('127.0.0.1', 'localhost'), masked)).toMatchObject(
        failed('token-missing', /is sent nowhere else/),
      );
    }
    expect(world.elsewhere.seen).toEqual([]);
  });

  test('does not work for another project', async () => {
    await connect(world.service, world.sentry);
    const other = await world.service.services.projects.create('lab/other', 'Other');
    const query = new URLSearchParams({ api_host: world.sentry.origin, token: '***' }).toString();
    expect(await world.service.as.steward('GET', `/lab/other/-/error_tracking/projects.json?${query}`)).toMatchObject(
      failed('token-missing', /Enter the auth token/),
    );
    // Not even with its row copied: it is sealed for its project and its origin.
    const row = await world.service.services.errorSettings.of(world.service.projectId);
    if (!row || !other) throw new Error('no row');
    await world.service.services.errorSettings.put({ ...row, project_id: other.id });
    expect((await world.service.as.steward('GET', `/lab/other/-/error_tracking/projects.json?${query}`)).status).toBe(
      400,
    );
    await world.service.services.errorSettings.put({
      ...row,
      api_url: `${world.elsewhere.origin}/api/0/projects/lab/bench`,
    });
    expect((await check(world.elsewhere.origin, '')).status).toBe(400);
    expect([...world.sentry.seen, ...world.elsewhere.seen]).toEqual([]);
  });
});
