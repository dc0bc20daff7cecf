import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { basic, password, pairOf, startIssuer } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;
let other: RegisteredApplication;

beforeAll(async () => {
  web = await issuer.register();
  other = await issuer.register({ name: 'Other' });
});

const client = (registered = web) => basic(registered.application.clientId, registered.secret ?? '');
const introspect = (token: string, headers: Readonly<Record<string, string>> = client()) =>
  issuer.post('/oauth/introspect', { token }, headers);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const inactive = '{"active":false}';

describe('introspection', () => {
  test('S81 describes tokens of the requesting client', async () => {
    const { access, refresh } = await issuer.pair(web);
    const answer = await introspect(access);
    const now = Math.floor(Date.now() / 1000);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual([
      'active',
      'scope',
      'client_id',
      'username',
      'token_type',
      'exp',
      'iat',
      'sub',
    ]);
    expect(answer.body).toMatchObject({
      active: true,
      scope: 'read_user read_api',
      client_id: web.application.clientId,
      username: 'alice',
      token_type: 'bearer',
    });
    expect(Number(answer.body['exp']) - Number(answer.body['iat'])).toBe(7200);
    expect(Math.abs(Number(answer.body['iat']) - now)).toBeLessThan(10);
    const refreshable = await introspect(refresh);
    expect(refreshable.body).toMatchObject({ active: true, client_id: web.application.clientId });
    expect(refreshable.body['token_type']).toBeUndefined();
    expect((await introspect(access, bearer(pairOf(await issuer.refresh(web, refresh)).access))).body).toMatchObject({
      active: false,
    });
  });

  test('S81 a token of the same application may request it', async () => {
    const [asking, asked] = [await issuer.pair(web), await issuer.pair(web)];
    expect((await introspect(asked.access, bearer(asking.access))).body).toMatchObject({
      active: true,
      username: 'alice',
    });
    const foreign = await issuer.pair(other);
    expect((await introspect(asked.access, bearer(foreign.access))).text).toBe(inactive);
  });

  test('S81 gives the same answer for foreign, unknown, revoked and personal tokens', async () => {
    const foreign = await issuer.pair(other);
    const revoked = await issuer.pair(web);
    await issuer.post('/oauth/revoke', { token: revoked.refresh }, client());
    const lone = await issuer.tokenRequest({ grant_type: 'password', username: 'alice', password });
    const personal = await issuer.token(issuer.ids.alice, ['api']);
    for (const token of [
      foreign.access,
      foreign.refresh,
      revoked.access,
      revoked.refresh,
      'f'.repeat(64),
      'x',
      String(lone.body['access_token']),
      personal,
    ]) {
      const answer = await introspect(token);
      expect([answer.status, answer.text]).toEqual([200, inactive]);
    }
  });

  test('S81 needs a valid authentication', async () => {
    const { access } = await issuer.pair(web);
    const publicOne = await issuer.register({ name: 'Desktop', confidential: false });
    const nobody = await introspect(access, {});
    expect([nobody.status, nobody.body['error']]).toEqual([400, 'invalid_request']);
    const wrong = await introspect(access, basic(web.application.clientId, 'wrong'));
    expect([wrong.status, wrong.body['error']]).toEqual([401, 'invalid_client']);
    const named = await issuer.post('/oauth/introspect', { token: access, client_id: publicOne.application.clientId });
    expect([named.status, named.body['error']]).toEqual([401, 'invalid_client']);
    const dead = await introspect(access, bearer('f'.repeat(64)));
    expect(dead.status).toBe(401);
    expect(dead.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('does not count as a use: the previous token stays valid', async () => {
    const first = await issuer.pair(web);
    const second = pairOf(await issuer.refresh(web, first.refresh));
    for (let i = 0; i < 2; i += 1) expect((await introspect(second.access)).body).toMatchObject({ active: true });
    expect(await issuer.userStatus(first.access)).toBe(200);
    expect(await issuer.userStatus(second.access)).toBe(200);
    expect(await issuer.userStatus(first.access)).toBe(401);
    expect((await introspect(first.access)).text).toBe(inactive);
  });

  test('a refresh token is active after its access token has expired, and not once it has been replaced', async () => {
    const { access, refresh } = await issuer.pair(web);
    const next = pairOf(await issuer.refresh(web, refresh));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    try {
      expect((await introspect(access)).text).toBe(inactive);
      expect((await introspect(next.refresh)).body).toMatchObject({ active: true });
      expect((await introspect(refresh)).text).toBe(inactive);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('token information', () => {
  const info = (path = '', headers: Readonly<Record<string, string>> = {}) =>
    issuer.get(`/oauth/token/info${path}`, headers);

  test('S82 has the members of the interface and no others', async () => {
    const { access } = await issuer.pair(web);
    for (const answer of [await info('', bearer(access)), await info(`?access_token=${access}`)]) {
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual([
        'resource_owner_id',
        'scope',
        'expires_in',
        'application',
        'created_at',
        'scopes',
        'expires_in_seconds',
      ]);
      expect(answer.body).toMatchObject({
        resource_owner_id: issuer.ids.alice,
        scope: ['read_user', 'read_api'],
        scopes: ['read_user', 'read_api'],
        application: { uid: web.application.clientId },
      });
      expect(answer.body['expires_in']).toBeGreaterThan(7190);
      expect(answer.body['expires_in']).toBeLessThanOrEqual(7200);
      expect(answer.body['expires_in_seconds']).toBe(answer.body['expires_in']);
      expect(Math.abs(Number(answer.body['created_at']) - Date.now() / 1000)).toBeLessThan(10);
    }
  });

  test('S84 the response to a token in the query must not be stored', async () => {
    const { access } = await issuer.pair(web);
    expect((await info(`?access_token=${access}`)).headers.get('cache-control')).toBe('private, no-store');
    expect((await issuer.get(`/api/v4/user?access_token=${access}`)).headers.get('cache-control')).toContain(
      'no-store',
    );
  });

  test('S83 two tokens at once are refused, here and on the API', async () => {
    const { access } = await issuer.pair(web);
    for (const path of ['/oauth/token/info', '/api/v4/user']) {
      const both = await issuer.get(`${path}?access_token=${access}`, bearer(access));
      expect([both.status, both.body['error']]).toEqual([400, 'invalid_request']);
      expect((await issuer.get(`${path}?access_token=${access}&access_token=${access}`)).status).toBe(400);
      expect((await issuer.get(path, { ...bearer(access), 'private-token': access })).status).toBe(400);
    }
  });

  test('P22 a token without an application has the uid null, and one without an expiry the lifetime null', async () => {
    const lone = String(
      (await issuer.tokenRequest({ grant_type: 'password', username: 'alice', password })).body['access_token'],
    );
    expect((await info('', bearer(lone))).body).toMatchObject({ application: { uid: null }, scope: ['api'] });
    const personal = await info('', bearer(await issuer.token(issuer.ids.alice, ['read_user'])));
    expect(personal.body).toMatchObject({
      resource_owner_id: issuer.ids.alice,
      application: { uid: null },
      expires_in: null,
      expires_in_seconds: null,
      scope: ['read_user'],
    });
    expect(personal.body['created_at']).toBeGreaterThan(1_700_000_000);
    const ending = await issuer.token(issuer.ids.alice, ['read_user'], Date.now() + 60_000);
    expect((await info('', bearer(ending))).body['expires_in']).toBeLessThanOrEqual(60);
  });

  test('without a valid token it is 401 invalid_token with a challenge', async () => {
    for (const answer of [await info(), await info('', bearer('f'.repeat(64))), await info('?access_token=x')]) {
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer realm="Benchport"');
    }
  });
});
