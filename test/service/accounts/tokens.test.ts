import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CreatedToken, PersonalAccessToken } from '../../../src-main/service/contract/accounts.ts';
import { setUserState } from '../../../src-main/service/accounts/set-user-state.ts';
import { createUser } from '../../../src-main/service/accounts/create-user.ts';
import { startTestService, type TestService } from '../start.ts';
import { browserAt, csrfOf, type Browser } from './browser.ts';
import { rawRequest, windowRequest } from './raw-request.ts';

let service: TestService;
let alice: Browser;
let csrf: string;
let aliceId: number;
let bobId: number;
let adminToken: string;
const day = 24 * 3600_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const list = '/api/v4/personal_access_tokens';
const create = '/api/v4/user/personal_access_tokens';

beforeAll(async () => {
  service = await startTestService();
  adminToken = await service.token(await service.user('steward', true), ['api']);
  const password = 'a long password';
  aliceId = (await createUser(service.services, { username: 'alice', name: 'Alice', email: 'alice@bench.example', password, isAdmin: false }, null)).id;
  bobId = await service.user('bob');
  alice = browserAt(service);
  await alice.signIn('alice', password);
  csrf = await csrfOf(alice);
});
afterAll(() => service.end());

const get = (path: string, token?: string) => fetch(service.url + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
const remove = (path: string, token: string) => fetch(service.url + path, { method: 'DELETE', headers: { 'private-token': token } });
const rotate = (path: string, token: string) => fetch(`${service.url}${path}/rotate`, { method: 'POST', headers: { 'private-token': token } });
const make = (body: unknown) => alice.send('POST', create, body, { 'x-csrf-token': csrf });

async function made(scopes: readonly string[] = ['read_api']): Promise<CreatedToken> {
  const answer = await make({ name: 'lab', scopes });
  expect(answer.status).toBe(201);
  return (await answer.json()) as CreatedToken;
}

describe('a token', () => {
  test('S87 is shown once, works, and is listed without itself', async () => {
    const created = await made();
    expect(created.token).toMatch(/^bppat-[0-9A-Za-z]{38}$/);
    expect(created).toMatchObject({
      name: 'lab',
      scopes: ['read_api'],
      revoked: false,
      active: true,
      expires_at: inDays(365),
      last_used_at: null,
      last_used_ips: [],
      user_id: aliceId,
    });
    expect(await (await get('/api/v4/user', created.token)).json()).toMatchObject({ id: aliceId, username: 'alice' });
    const listed = await (await get(list, created.token)).text();
    expect(listed).not.toContain('bppat-');
    expect(JSON.parse(listed)).toContainEqual(expect.objectContaining({ id: created.id, name: 'lab' }));
    expect(await (await get(`${list}/self`, created.token)).json()).toMatchObject({ id: created.id });
    expect(await (await get(`${list}/${created.id}`, created.token)).json()).toMatchObject({ id: created.id });
  });

  test('can be sent in each of the places, but in one at a time', async () => {
    const { token } = await made();
    expect((await fetch(`${service.url}/api/v4/user`, { headers: { 'private-token': token } })).status).toBe(200);
    const byQuery = await fetch(`${service.url}/api/v4/user?access_token=${token}`);
    expect(byQuery.status).toBe(200);
    expect(byQuery.headers.get('cache-control')).toContain('no-store');
    expect((await fetch(`${service.url}/api/v4/user?access_token=${token}`, { headers: { 'private-token': token } })).status).toBe(400);
    expect((await fetch(`${service.url}/api/v4/user?access_token=${token}&access_token=${token}`)).status).toBe(400);
    const doubled = await rawRequest(
      { port: service.port },
      { path: '/api/v4/user', headers: { host: '127.0.0.1', authorization: [`Bearer ${token}`, `Bearer ${token}`] } },
    );
    expect(doubled.status).toBe(400);
    expect((await fetch(`${service.url}/-/metrics?access_token=${adminToken}`)).status).toBe(401);
  });

  test('stops with the next request after it was revoked, by itself, its user or an administrator', async () => {
    const byItself = await made(['read_user']);
    expect((await remove(`${list}/self`, byItself.token)).status).toBe(204);
    const byUser = await made();
    expect((await get('/api/v4/user', byUser.token)).status).toBe(200);
    expect((await alice.send('DELETE', `${list}/${byUser.id}`, {}, { 'x-csrf-token': csrf })).status).toBe(204);
    const byAdmin = await made();
    expect((await remove(`${list}/${byAdmin.id}`, adminToken)).status).toBe(204);
    for (const { token } of [byItself, byUser, byAdmin]) {
      const answer = await get('/api/v4/user', token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Benchport", error="invalid_token"');
      expect(await answer.json()).toMatchObject({ error: 'invalid_token', error_description: expect.stringContaining('Create a new one') });
    }
    expect((await remove(`${list}/${byAdmin.id}`, adminToken)).status).toBe(204);
    const listed = (await (await alice.get(`${list}?per_page=100`)).json()) as PersonalAccessToken[];
    expect(listed.find(({ id }) => id === byUser.id)).toMatchObject({ revoked: true, active: false });
    expect(listed.find(({ id }) => id === byAdmin.id)).toMatchObject({ revoked: true });
  });

  test('S92 of another user is as unknown as one that never was', async () => {
    const mine = await made();
    const foreign = await service.token(bobId, ['api']);
    const missing = await (await get(`${list}/999999`, foreign)).text();
    expect(missing).toBe('{"message":"401 Unauthorized"}');
    for (const answer of [await get(`${list}/${mine.id}`, foreign), await remove(`${list}/${mine.id}`, foreign), await rotate(`${list}/${mine.id}`, foreign)]) {
      expect(answer.status).toBe(401);
      expect(await answer.text()).toBe(missing);
    }
    expect((await get('/api/v4/user', mine.token)).status).toBe(200);
    expect((await get(`${list}/${mine.id}`, adminToken)).status).toBe(200);
    expect((await get(`${list}/999999`, adminToken)).status).toBe(404);
  });

  test('S93 cannot create tokens, whatever its scope', async () => {
    const answer = await fetch(service.url + create, {
      method: 'POST',
      headers: { 'private-token': await service.token(aliceId, ['api']), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', scopes: ['read_api'] }),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({ message: expect.stringContaining('A token cannot create tokens') });
  });

  test('needs the api scope to revoke another token', async () => {
    const reader = await made(['read_api']);
    const other = await made();
    const answer = await remove(`${list}/${other.id}`, reader.token);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: 'insufficient_scope', scope: 'api' });
    expect(answer.headers.get('www-authenticate')).toContain('scope="api"');
  });

  test('reaches no further than its scopes', async () => {
    const profile = (await made(['read_user'])).token;
    expect((await get('/api/v4/user', profile)).status).toBe(200);
    for (const path of [list, '/api/v4/users', '/api/v4/projects', '/api/v4/service', '/api/v4/events']) {
      const answer = await get(path, profile);
      expect(answer.status, path).toBe(403);
      expect(answer.headers.get('www-authenticate'), path).toContain('error="insufficient_scope", scope="api read_api"');
      await answer.body?.cancel();
    }
    expect((await get('/-/metrics', await service.token(aliceId, ['api']))).status).toBe(403);
  });

  test('of a blocked user does not work until the user is let in again', async () => {
    const token = await service.token(await service.user('blocked'), ['api']);
    expect((await get('/api/v4/user', token)).status).toBe(200);
    await setUserState(service.services, 'blocked', 'blocked', null);
    expect((await get('/api/v4/user', token)).status).toBe(401);
    await setUserState(service.services, 'blocked', 'active', null);
    expect((await get('/api/v4/user', token)).status).toBe(200);
  });

  test('S88 ends in the very millisecond of its expiry', async () => {
    const end = Date.now() + 3000;
    const token = await service.token(aliceId, ['read_api'], end);
    expect((await get('/api/v4/user', token)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
    expect((await get('/api/v4/user', token)).status).toBe(401);
    expect((await get('/api/v4/user', await service.token(aliceId, ['read_api'], Date.now()))).status).toBe(401);
  });

  test('has its last use recorded, later', async () => {
    const { token, id } = await made();
    await get('/api/v4/user', token);
    await expect.poll(async () => (await service.services.tokens.byId(id))?.last_used_at ?? 0, { timeout: 15_000 }).toBeGreaterThan(Date.now() - 20_000);
    expect((await service.services.tokens.byId(id))?.last_used_address).toBe('127.0.0.1');
  });
});

describe('creating', () => {
  const tomorrow = new Date(Date.now() + day).toISOString().slice(0, 10);
  const today = new Date().toISOString().slice(0, 10);

  test('takes an expiry day, and answers it', async () => {
    expect(await (await make({ name: 'x', scopes: ['api'], expires_at: tomorrow, description: 'for bench 3' })).json()).toMatchObject({
      expires_at: tomorrow,
      description: 'for bench 3',
    });
    expect(await (await make({ name: 'x', scopes: ['api'], expires_at: null })).json()).toMatchObject({ expires_at: inDays(365) });
  });

  test.each([
    ['today, which has begun', { name: 'x', scopes: ['api'], expires_at: today }, 'would never work'],
    ['a past day', { name: 'x', scopes: ['api'], expires_at: '2020-01-01' }, 'would never work'],
    ['a day more than a year off', { name: 'x', scopes: ['api'], expires_at: inDays(366) }, 'A token can live 365 days'],
    ['no day of the calendar', { name: 'x', scopes: ['api'], expires_at: '2031-02-30' }, '2031-02-30 is no day'],
    ['a time instead of a day', { name: 'x', scopes: ['api'], expires_at: '2031-02-03T00:00:00Z' }, 'expires_at'],
    ['an unknown scope', { name: 'x', scopes: ['api', 'sudo'] }, 'sudo'],
    ['no scope', { name: 'x', scopes: [] }, 'scopes'],
    ['a scope twice', { name: 'x', scopes: ['api', 'api'] }, 'scopes'],
    ['scopes as text', { name: 'x', scopes: 'api' }, 'scopes must be array'],
    ['no name', { scopes: ['api'] }, 'lacks name'],
    ['an empty name', { name: '', scopes: ['api'] }, 'name'],
    ['a blank name', { name: '   ', scopes: ['api'] }, 'name'],
    ['a long name', { name: 'x'.repeat(256), scopes: ['api'] }, 'name'],
    ['a number for a name', { name: 5, scopes: ['api'] }, 'name must be string'],
    ['an unknown member', { name: 'x', scopes: ['api'], user_id: 1 }, 'user_id'],
    ['a list', [], 'body must be object'],
  ])('refuses %s and names it', async (_name, body, words) => {
    const answer = await make(body);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { message: string }).message).toContain(words);
  });

  test('refuses what is not JSON, not complete, or too long', async () => {
    const send = (body: string, type: string) =>
      fetch(service.url + create, {
        method: 'POST',
        body,
        headers: { 'content-type': type, 'x-csrf-token': csrf, cookie: `benchport_session=${alice.cookies.get('benchport_session')}` },
      });
    expect((await send('{"name":', 'application/json')).status).toBe(400);
    expect((await send('<x/>', 'application/xml')).status).toBe(415);
    expect((await send(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 'application/json')).status).toBe(413);
  });

  test('works in the window without a CSRF token', async () => {
    const answer = await windowRequest(service, 'POST', create, { name: 'from the window', scopes: ['api'] });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({ user_id: (await service.services.users.byUsername('steward'))?.id });
  });
});

describe('the list', () => {
  test('comes in pages with the headers of GitLab', async () => {
    for (let i = 0; i < 3; i += 1) await service.token(bobId);
    const token = await service.token(bobId);
    const answer = await get(`${list}?per_page=2&page=1&search=TEST`, token);
    const total = Number(answer.headers.get('x-total'));
    expect(total).toBeGreaterThanOrEqual(4);
    expect(((await answer.json()) as unknown[]).length).toBe(2);
    expect(answer.headers.get('x-page')).toBe('1');
    expect(answer.headers.get('x-next-page')).toBe('2');
    expect(answer.headers.get('link')).toContain(`<${service.url}${list}?per_page=2&page=2&search=TEST>; rel="next"`);
    expect(await (await get(`${list}?page=1000000`, token)).json()).toEqual([]);
  });

  test('can show the active ones alone', async () => {
    const token = await service.token(bobId);
    await service.token(bobId, ['api'], Date.now());
    const states = async (state: string) =>
      ((await (await get(`${list}?per_page=100&state=${state}`, token)).json()) as PersonalAccessToken[]).map(({ active }) => active);
    expect(new Set(await states('active'))).toEqual(new Set([true]));
    expect(new Set(await states('inactive'))).toEqual(new Set([false]));
  });

  test.each([
    'page=0',
    'page=x',
    'page=1.5',
    'page=-1',
    'page=1&page=2',
    'per_page=101',
    'page=99999999999999999999',
    'state=old',
    `search=${'x'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    expect((await get(`${list}?${query}`, adminToken)).status).toBe(400);
  });

  test.each(['0', '-1', '1e3', 'x', '99999999999999999999', 'self%00'])('there is no token %s', async (id) => {
    expect((await get(`${list}/${id}`, adminToken)).status).toBe(400);
  });

  test('"self" needs a token', async () => {
    expect((await alice.get(`${list}/self`)).status).toBe(400);
  });
});

describe('credentials that are none', () => {
  test('nothing at all gets a plain challenge', async () => {
    const answer = await get('/api/v4/user');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Benchport"');
    expect(await answer.json()).toEqual({ message: '401 Unauthorized' });
  });

  test.each([
    ['an unknown token', 'Bearer bppat-0000000000000000000000000000000000000000'],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Basic YWxpY2U6eA=='],
    ['rubbish', 'bppat-x y z'],
    ['a token in quotes', 'Bearer "x"'],
  ])('%s is refused as invalid', async (_name, authorization) => {
    const answer = await fetch(`${service.url}/api/v4/user`, { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

describe('users and projects by name', () => {
  test('are searched as text, not as patterns', async () => {
    expect(await (await get('/api/v4/users?search=ALI', adminToken)).json()).toEqual([{ id: aliceId, username: 'alice', name: 'Alice' }]);
    expect(await (await get('/api/v4/users?search=%25', adminToken)).json()).toEqual([]);
    expect(await (await get('/api/v4/users?search=a_ice', adminToken)).json()).toEqual([]);
    await service.services.projects.create('lab/qmr', 'QMR');
    expect(await (await get('/api/v4/projects?search=qm', adminToken)).json()).toEqual([{ id: 1, path: 'lab/qmr', name: 'QMR' }]);
    expect((await get(`/api/v4/projects?search=${'x'.repeat(201)}`, adminToken)).status).toBe(400);
  });
});
