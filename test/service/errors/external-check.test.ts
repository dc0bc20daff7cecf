import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '../../../src-main/service/accounts/create-user.ts';
import type { ExternalProject } from '../../../src-main/service/contract/errors.ts';
import { browserAt } from '../accounts/browser.ts';
import { bench, checkConnection, connect, failed, lab, modern, token } from './external-world.ts';
import { startProjectService, type ProjectService } from './project-fixture.ts';
import { sendJson, startDouble, type Double } from './sentry-double.ts';

let service: ProjectService;
let sentry: Double;
let elsewhere: Double;
beforeAll(async () => {
  service = await startProjectService();
});
afterAll(() => service.end());
beforeEach(async () => {
  [sentry, elsewhere] = [await startDouble(), await startDouble()];
});
afterEach(async () => {
  await sentry.end();
  await elsewhere.end();
});

const check = async (host: string, sentToken?: string, by?: 'maintainer' | 'developer' | 'outsider') => checkConnection(service, host, by, sentToken);
const expected: ExternalProject = {
  id: '12',
  name: 'Bench',
  slug: 'bench',
  status: 'active',
  organization_id: '7',
  organization_name: 'The lab',
  organization_slug: 'lab',
};
/** The API that GitLab knows: one list of all projects. */
const older: Double['answer'] = ({ path: address }, response) => {
  if (address === '/api/0/projects/') sendJson(response, [{ ...bench, organization: lab }]);
  else response.writeHead(404).end();
};

describe('the connection check', () => {
  test('lists the projects of a server of today, and of an older one', async () => {
    sentry.answer = modern;
    const answer = await check(sentry.origin);
    expect(answer).toMatchObject({ status: 200, body: { projects: [expected] } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const { headers, method } of sentry.seen) {
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect([method, headers['private-token'], headers.cookie]).toEqual(['GET', undefined, undefined]);
    }
    sentry.answer = older;
    for (const host of [sentry.origin, `${sentry.origin}/`, `${sentry.origin}/api/0/projects/`, ` ${sentry.origin} `]) {
      expect(await check(host), host).toMatchObject({ status: 200, body: { projects: [expected] } });
    }
    sentry.answer = (one, response) => older({ ...one, path: one.path.replace('/prefix/', '/') }, response);
    expect((await check(`${sentry.origin}/prefix/api/0/projects/lab/bench/`)).status).toBe(200);
    expect(sentry.seen.at(-1)?.path).toBe('/prefix/api/0/projects/');
  });

  test('goes on to the older list when the token may not list organisations', async () => {
    for (const status of [401, 403, 500]) {
      sentry.answer = (one, response) => (one.path === '/api/0/organizations/' ? void response.writeHead(status).end() : older(one, response));
      expect(await check(sentry.origin)).toMatchObject({ status: 200, body: { projects: [expected] } });
    }
  });

  test('follows pages by their cursor, on its own server', async () => {
    sentry.answer = (one, response) => {
      if (one.path !== '/api/0/projects/') return void response.writeHead(404).end();
      const first = one.query.get('cursor') === null;
      const link = (cursor: string, results: boolean) =>
        `<${elsewhere.origin}/api/0/projects/?cursor=${cursor}>; rel="next"; results="${results}"; cursor="${cursor}"`;
      return sendJson(response, [{ ...bench, slug: first ? 'one' : 'two', organization: lab }], { link: link(first ? '0:100:0' : '0:200:0', first) });
    };
    const { body } = await check(sentry.origin);
    expect((body as { projects: ExternalProject[] }).projects.map(({ slug }) => slug)).toEqual(['one', 'two']);
    expect(elsewhere.seen).toEqual([]);
  });

  test('a server without projects is a connection all the same', async () => {
    sentry.answer = (one, response) => (one.path === '/api/0/projects/' ? sendJson(response, []) : void response.writeHead(404).end());
    expect(await check(sentry.origin)).toMatchObject({ status: 200, body: { projects: [] } });
  });

  test('is a 404 while Monitor is off, and asks nobody', async () => {
    await service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: false });
    sentry.answer = modern;
    expect((await check(sentry.origin)).status).toBe(404);
    expect(sentry.seen).toEqual([]);
    await service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: true });
    expect((await check(sentry.origin)).status).toBe(200);
  });

  test('is for maintainers with the scope api, and asks nobody for others', async () => {
    sentry.answer = modern;
    expect((await check(sentry.origin, token, 'developer')).status).toBe(403);
    expect(await check(sentry.origin, token, 'outsider')).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
    const query = `?api_host=${encodeURIComponent(sentry.origin)}&token=${token}`;
    expect((await service.with(null)('GET', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(401);
    const reading = service.with(await service.token(service.userIds.owner, ['read_api']));
    expect((await reading('GET', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(403);
    expect((await service.as.owner('GET', `/lab/nowhere/-/error_tracking/projects.json${query}`)).status).toBe(404);
    expect((await service.as.owner('GET', `/${service.projectId}/-/error_tracking/projects.json${query}`)).status).toBe(404);
    expect(sentry.seen).toEqual([]);
    expect((await service.as.owner('GET', `/LAB/qmr/-/error_tracking/projects.json${query}`)).status).toBe(200);
    expect((await service.as.owner('POST', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(405);
  });
});

describe('a signed-in browser', () => {
  test('may try a connection from our pages, and not because a page elsewhere makes it', async () => {
    const wish = { username: 'alice', name: 'Alice', email: null, password: 'a long password of alice', isAdmin: false };
    const { id } = await createUser(service.services, wish, null);
    await service.services.projects.setMember(service.projectId, id, 'maintainer');
    const browser = browserAt(service);
    expect((await browser.signIn('alice', wish.password)).status).toBe(303);
    sentry.answer = modern;
    const query = new URLSearchParams({ api_host: sentry.origin, token }).toString();
    const ask = async (headers: Record<string, string>) => (await browser.get(`/lab/qmr/-/error_tracking/projects.json?${query}`, headers)).status;
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }])
      expect(await ask(headers)).toBe(403);
    expect(sentry.seen).toEqual([]);
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  });
});

describe('the token that is kept', () => {
  test('serves for checking its own server, and is sent nowhere else', async () => {
    await connect(service, sentry);
    sentry.answer = modern;
    elsewhere.answer = modern;
    for (const masked of ['', '********']) {
      expect((await check(sentry.origin, masked)).status).toBe(200);
      expect(sentry.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
      expect(await check(elsewhere.origin, masked)).toMatchObject(failed('token-missing', /is sent nowhere else/));
      expect(await check(sentry.origin.replace('127.0.0.1', 'localhost'), masked)).toMatchObject(failed('token-missing', /is sent nowhere else/));
    }
    expect(elsewhere.seen).toEqual([]);
  });

  test('is not another project’s', async () => {
    await connect(service, sentry);
    const other = await service.services.projects.create('lab/other', 'Other');
    const query = new URLSearchParams({ api_host: sentry.origin, token: '***' }).toString();
    expect(await service.as.steward('GET', `/lab/other/-/error_tracking/projects.json?${query}`)).toMatchObject(
      failed('token-missing', /Enter the auth token/),
    );
    // Not even when its row is put there: it is sealed for its project and its origin.
    const row = await service.services.errorSettings.of(service.projectId);
    if (!row || !other) throw new Error('no row');
    await service.services.errorSettings.put({ ...row, project_id: other.id });
    expect((await service.as.steward('GET', `/lab/other/-/error_tracking/projects.json?${query}`)).status).toBe(400);
    await service.services.errorSettings.put({ ...row, api_url: `${elsewhere.origin}/api/0/projects/lab/bench` });
    expect((await check(elsewhere.origin, '')).status).toBe(400);
    expect([...sentry.seen, ...elsewhere.seen]).toEqual([]);
  });
});
