import { describe, expect, test } from 'vitest';
import type { CreatedToken, PersonalAccessToken } from '../../../src-main/service/contract/accounts.ts';
import { inDays, list } from './token-world.ts';
import { setState } from '../people.ts';
import { rawRequest } from '../raw-request.ts';
import { create, startTokenUsers } from './token-users.ts';
import { useWorld } from '../use-service.ts';

const world = useWorld(startTokenUsers);

const get = (path: string, token?: string) =>
  fetch(world.service.url + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
const remove = (path: string, token: string) =>
  fetch(world.service.url + path, { method: 'DELETE', headers: { 'private-token': token } });
const rotate = (path: string, token: string) =>
  fetch(`${world.service.url}${path}/rotate`, { method: 'POST', headers: { 'private-token': token } });

async function made(scopes: readonly string[] = ['read_api']): Promise<CreatedToken> {
  const answer = await world.alice.send('POST', create, { name: 'lab', scopes }, { 'x-csrf-token': world.csrf });
  expect(answer.status).toBe(201);
  return (await answer.json()) as CreatedToken;
}

describe('a token', () => {
  test('S87 is shown once, works, and is listed without its secret', async () => {
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
      user_id: world.aliceId,
    });
    expect(await (await get('/api/v4/user', created.token)).json()).toMatchObject({
      id: world.aliceId,
      username: 'alice',
    });
    const listed = await (await get(list, created.token)).text();
    expect(listed).not.toContain('bppat-');
    expect(JSON.parse(listed)).toContainEqual(expect.objectContaining({ id: created.id, name: 'lab' }));
    expect(await (await get(`${list}/self`, created.token)).json()).toMatchObject({ id: created.id });
    expect(await (await get(`${list}/${created.id}`, created.token)).json()).toMatchObject({ id: created.id });
  });

  test('can be sent in each of the places, but in one at a time', async () => {
    const { token } = await made();
    expect((await fetch(`${world.service.url}/api/v4/user`, { headers: { 'private-token': token } })).status).toBe(200);
    const byQuery = await fetch(`${world.service.url}/api/v4/user?access_token=${token}`);
    expect(byQuery.status).toBe(200);
    expect(byQuery.headers.get('cache-control')).toContain('no-store');
    expect(
      (await fetch(`${world.service.url}/api/v4/user?access_token=${token}`, { headers: { 'private-token': token } }))
        .status,
    ).toBe(400);
    expect((await fetch(`${world.service.url}/api/v4/user?access_token=${token}&access_token=${token}`)).status).toBe(
      400,
    );
    const doubled = await rawRequest(
      { port: world.service.port },
      { path: '/api/v4/user', headers: { host: '127.0.0.1', authorization: [`Bearer ${token}`, `Bearer ${token}`] } },
    );
    expect(doubled.status).toBe(400);
    expect((await fetch(`${world.service.url}/-/metrics?access_token=${world.adminToken}`)).status).toBe(401);
  });

  test('stops with the next request after it was revoked, by itself, its user or an administrator', async () => {
    const byItself = await made(['read_user']);
    expect((await remove(`${list}/self`, byItself.token)).status).toBe(204);
    const byUser = await made();
    expect((await get('/api/v4/user', byUser.token)).status).toBe(200);
    expect((await world.alice.send('DELETE', `${list}/${byUser.id}`, {}, { 'x-csrf-token': world.csrf })).status).toBe(
      204,
    );
    const byAdmin = await made();
    expect((await remove(`${list}/${byAdmin.id}`, world.adminToken)).status).toBe(204);
    for (const { token } of [byItself, byUser, byAdmin]) {
      const answer = await get('/api/v4/user', token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Benchport", error="invalid_token"');
      expect(await answer.json()).toMatchObject({
        error: 'invalid_token',
        error_description: expect.stringContaining('Create a new one'),
      });
    }
    expect((await remove(`${list}/${byAdmin.id}`, world.adminToken)).status).toBe(204);
    const listed = (await (await world.alice.get(`${list}?per_page=100`)).json()) as PersonalAccessToken[];
    expect(listed.find(({ id }) => id === byUser.id)).toMatchObject({ revoked: true, active: false });
    expect(listed.find(({ id }) => id === byAdmin.id)).toMatchObject({ revoked: true });
  });

  test('S92 of another user is indistinguishable from an unknown one', async () => {
    const mine = await made();
    const foreign = await world.service.token(world.bobId, ['api']);
    const missing = await (await get(`${list}/999999`, foreign)).text();
    expect(missing).toBe('{"message":"401 Unauthorized"}');
    for (const answer of [
      await get(`${list}/${mine.id}`, foreign),
      await remove(`${list}/${mine.id}`, foreign),
      await rotate(`${list}/${mine.id}`, foreign),
    ]) {
      expect(answer.status).toBe(401);
      expect(await answer.text()).toBe(missing);
    }
    expect((await get('/api/v4/user', mine.token)).status).toBe(200);
    expect((await get(`${list}/${mine.id}`, world.adminToken)).status).toBe(200);
    expect((await get(`${list}/999999`, world.adminToken)).status).toBe(404);
  });

  test('S93 cannot create tokens, whatever its scope', async () => {
    const answer = await fetch(world.service.url + create, {
      method: 'POST',
      headers: {
        'private-token': await world.service.token(world.aliceId, ['api']),
        'content-type': 'application/json',
      },
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

  test('has only the rights of its scopes', async () => {
    const profile = (await made(['read_user'])).token;
    expect((await get('/api/v4/user', profile)).status).toBe(200);
    for (const path of [list, '/api/v4/users', '/api/v4/projects', '/api/v4/service', '/api/v4/events']) {
      const answer = await get(path, profile);
      expect(answer.status, path).toBe(403);
      expect(answer.headers.get('www-authenticate'), path).toContain(
        'error="insufficient_scope", scope="api read_api"',
      );
      await answer.body?.cancel();
    }
    expect((await get('/-/metrics', await world.service.token(world.aliceId, ['api']))).status).toBe(403);
  });

  test('L3: of a blocked user has ended, also when the user is unblocked', async () => {
    const token = await world.service.token(await world.service.user('blocked'), ['api']);
    expect((await get('/api/v4/user', token)).status).toBe(200);
    await setState(world.service.services, 'blocked', 'blocked');
    expect((await get('/api/v4/user', token)).status).toBe(401);
    await setState(world.service.services, 'blocked', 'active');
    expect((await get('/api/v4/user', token)).status).toBe(401);
  });

  test('S88 ends in the very millisecond of its expiry', async () => {
    const end = Date.now() + 3000;
    const token = await world.service.token(world.aliceId, ['read_api'], end);
    expect((await get('/api/v4/user', token)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
    expect((await get('/api/v4/user', token)).status).toBe(401);
    expect((await get('/api/v4/user', await world.service.token(world.aliceId, ['read_api'], Date.now()))).status).toBe(
      401,
    );
  });

  test('has its last use recorded, later', async () => {
    const { token, id } = await made();
    await get('/api/v4/user', token);
    await expect
      .poll(async () => (await world.service.services.tokens.byId(id))?.last_used_at ?? 0, { timeout: 15_000 })
      .toBeGreaterThan(Date.now() - 20_000);
    expect((await world.service.services.tokens.byId(id))?.last_used_address).toBe('127.0.0.1');
  });
});

describe('invalid credentials', () => {
  test('a request without any gets a plain challenge', async () => {
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
    const answer = await fetch(`${world.service.url}/api/v4/user`, { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

describe('users and projects by name', () => {
  test('are searched as text, not as patterns', async () => {
    expect(await (await get('/api/v4/users?search=ALI', world.adminToken)).json()).toMatchObject([
      { id: world.aliceId, username: 'alice', name: 'Alice' },
    ]);
    expect(await (await get('/api/v4/users?search=%25', world.adminToken)).json()).toEqual([]);
    expect(await (await get('/api/v4/users?search=a_ice', world.adminToken)).json()).toEqual([]);
    await world.service.services.projects.create('lab/qmr', 'QMR');
    expect(await (await get('/api/v4/projects?search=qm', world.adminToken)).json()).toMatchObject([
      { id: 1, path: 'lab/qmr', name: 'QMR' },
    ]);
    expect((await get(`/api/v4/projects?search=${'x'.repeat(201)}`, world.adminToken)).status).toBe(400);
  });

  test('are found case-insensitively', async () => {
    await world.service.services.users.setProfile(world.bobId, 'Боб', null);
    await world.service.services.projects.create('lab/gap', 'Größe');
    expect(
      await (await get(`/api/v4/users?search=${encodeURIComponent('бОБ')}`, world.adminToken)).json(),
    ).toMatchObject([{ id: world.bobId }]);
    expect(
      await (await get(`/api/v4/projects?search=${encodeURIComponent('GRÖSSE')}`, world.adminToken)).json(),
    ).toMatchObject([{ path: 'lab/gap' }]);
  });
});
