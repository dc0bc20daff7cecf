import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';
import { asWindow } from '../as-window.ts';
import { useTestService } from '../use-service.ts';
import { browserAt } from '../browser.ts';
import { listen } from './event-stream.ts';
import { again, password, signedIn, turnTotpOn, withCsrf } from './second-factor-browser.ts';
import { grantOf } from './grant-of.ts';

const service = useTestService();
let owner: number;
beforeAll(async () => {
  owner = await service.user('owner', true);
});
afterEach(() => void vi.useRealTimers());

let count = 0;
const somebody = async () => {
  count += 1;
  return { username: `user${count}`, ...(await signedIn(service, `user${count}`)) };
};
const changed = 'quite another one';

async function accessTokenOf(userId: number): Promise<string> {
  const issued = await grantOf(service, userId);
  if (!issued) throw new Error('not issued');
  return issued.token.accessToken;
}

describe('S100 a recent confirmation of identity', () => {
  const sensitive = [
    ['POST', '/api/v4/user/totp'],
    ['POST', '/api/v4/user/totp/confirm', { code: '000000' }],
    ['DELETE', '/api/v4/user/totp'],
    ['POST', '/api/v4/user/recovery_codes'],
    ['POST', '/api/v4/user/webauthn/options'],
    ['POST', '/api/v4/user/webauthn', { name: 'x', response: {} }],
    ['DELETE', '/api/v4/user/webauthn/1'],
  ] as const;

  test('is required again after 15 minutes, and given by the password', async () => {
    const user = await somebody();
    await turnTotpOn(user);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14.9 * 60_000 });
    expect((await user.call('DELETE', '/api/v4/user/totp')).status).toBe(204);
    vi.setSystemTime(Date.now() + 0.2 * 60_000);
    for (const [method, path, body] of sensitive) {
      const answer = await user.call(method, path, body);
      expect([path, answer.status, await answer.json()]).toMatchObject([
        path,
        403,
        { type: 'urn:benchport:problem:confirmation-needed' },
      ]);
    }
    expect((await user.call('POST', '/api/v4/session/confirm', { password: 'wrong' })).status).toBe(403);
    expect((await user.call('POST', '/api/v4/user/totp')).status).toBe(403);
    expect((await user.call('POST', '/api/v4/session/confirm', { password })).status).toBe(204);
    const { confirmed_until: until } = (await (await user.browser.get('/api/v4/user/account')).json()) as {
      confirmed_until: string;
    };
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(14.9 * 60_000);
    expect((await user.call('POST', '/api/v4/user/totp')).status).toBe(201);
  });

  test('is refused to tokens of any scope, as is a change of the password', async () => {
    const user = await somebody();
    const token = await service.token(user.userId, ['api']);
    for (const [method, path, body = {}] of [
      ...sensitive,
      ['PUT', '/api/v4/user/password', { new_password: changed, revoke_tokens: false }] as const,
      ['POST', '/api/v4/session/confirm', { password }] as const,
    ]) {
      const answer = await fetch(service.url + path, {
        method,
        body: JSON.stringify(body),
        headers: { 'private-token': token, 'content-type': 'application/json' },
      });
      // Not "confirmation-needed", because a token can never confirm.
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 403, { type: 'about:blank' }]);
    }
    expect((await browserAt(service).signIn(user.username, password)).status).toBe(303);
  });

  test('is not required in the window', async () => {
    const begun = await asWindow(service, 'POST', '/api/v4/user/totp', {});
    expect(begun.status).toBe(201);
    expect((await asWindow(service, 'POST', '/api/v4/session/confirm', { password: 'x' })).status).toBe(204);
    expect(
      (await asWindow(service, 'PUT', '/api/v4/user/password', { new_password: changed, revoke_tokens: false })).status,
    ).toBe(204);
    expect((await service.services.users.byId(owner))?.password_hash).toMatch(/^\$argon2id/);
  });
});

describe('S102 a new password', () => {
  const change = { current_password: password, new_password: changed, revoke_tokens: false };

  test('ends the other sign-ins, and keeps tokens unless asked to revoke them', async () => {
    const user = await somebody();
    const other = await again(service, user.username, user.userId);
    const token = await service.token(user.userId, ['read_api']);
    const grant = await accessTokenOf(user.userId);
    const ask = async (secret: string) =>
      (await fetch(`${service.url}/api/v4/users`, { headers: { authorization: `Bearer ${secret}` } })).status;

    expect((await user.call('PUT', '/api/v4/user/password', change)).status).toBe(204);
    expect((await user.browser.get('/api/v4/user')).status).toBe(200);
    expect((await other.browser.get('/api/v4/user')).status).toBe(401);
    expect([await ask(token), await ask(grant)]).toEqual([200, 200]);
    expect((await browserAt(service).signIn(user.username, password)).status).toBe(422);
    expect((await browserAt(service).signIn(user.username, changed)).status).toBe(303);

    const back = { current_password: changed, new_password: password, revoke_tokens: true };
    const anew = await withCsrf(user.browser, user.userId);
    expect((await anew.call('PUT', '/api/v4/user/password', back)).status).toBe(204);
    expect([await ask(token), await ask(grant)]).toEqual([401, 401]);
    expect((await user.browser.get('/api/v4/user')).status).toBe(200);
  });

  test('S31 S102 replaces the cookie of this sign-in: a stolen copy is dead, and its event stream ends', async () => {
    const user = await somebody();
    const cookie = `benchport_session=${user.browser.cookies.get('benchport_session')}`;
    const ask = async () => (await fetch(`${service.url}/api/v4/user`, { headers: { cookie } })).status;
    const thief = await listen(service.url, { cookie });
    expect([thief.status, await ask()]).toEqual([200, 200]);

    expect((await user.call('PUT', '/api/v4/user/password', change)).status).toBe(204);
    expect(await ask()).toBe(401);
    await thief.closed;
    // A CSRF token is bound to its session.
    expect((await user.call('POST', '/api/v4/session/confirm', { password: changed })).status).toBe(403);
    const anew = await withCsrf(user.browser, user.userId);
    expect((await anew.call('POST', '/api/v4/session/confirm', { password: changed })).status).toBe(204);
    expect(await (await anew.browser.get('/api/v4/user/sessions')).json()).toMatchObject([{ current: true }]);
  }, 15_000);

  test.each([
    ['no current one', { new_password: changed, revoke_tokens: false }, 400],
    ['a wrong current one', { ...change, current_password: 'wrong' }, 403],
    ['one that is too short', { ...change, new_password: 'short' }, 400],
    ['one that is guessed first', { ...change, new_password: 'Password123!' }, 400],
    ['the own name', { ...change, new_password: 'User4user4' }, 400],
  ])('S100 S101 is refused with %s', async (_name, body, status) => {
    const user = await somebody();
    const own =
      body.new_password === 'User4user4' ? { ...body, new_password: `${user.username}${user.username}` } : body;
    expect((await user.call('PUT', '/api/v4/user/password', own)).status).toBe(status);
    expect((await browserAt(service).signIn(user.username, password)).status).toBe(303);
  });
});

describe('a sign-in of the user', () => {
  test('is listed, and can be ended remotely together with its event stream', async () => {
    const user = await somebody();
    const other = await again(service, user.username, user.userId);
    const third = await again(service, user.username, user.userId);
    const stream = await listen(service.url, {
      cookie: [...other.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    });
    expect(stream.status).toBe(200);

    type Listed = { readonly id: number; readonly current: boolean; readonly address: string };
    const list = async () => (await (await user.browser.get('/api/v4/user/sessions')).json()) as Listed[];
    const listed = await list();
    expect(listed).toHaveLength(3);
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    expect(listed[0]).toMatchObject({ address: '127.0.0.1', user_agent: 'node', expires_at: expect.any(String) });
    expect(JSON.stringify(listed)).not.toContain(user.browser.cookies.get('benchport_session'));

    const [row] = (await service.services.sessions.ofUser(user.userId))
      .filter(({ id }) => !listed.find((one) => one.id === id)?.current)
      .toSorted((a, b) => a.id - b.id);
    const bystander = await somebody();
    expect((await bystander.call('DELETE', `/api/v4/user/sessions/${row?.id}`)).status).toBe(404);
    expect((await user.call('DELETE', `/api/v4/user/sessions/${row?.id}`)).status).toBe(204);
    expect((await other.browser.get('/api/v4/user')).status).toBe(401);
    await stream.closed;
    expect(await list()).toHaveLength(2);

    expect((await user.call('DELETE', '/api/v4/user/sessions')).status).toBe(204);
    expect((await third.browser.get('/api/v4/user')).status).toBe(401);
    expect((await bystander.browser.get('/api/v4/user')).status).toBe(200);
    expect(await list()).toMatchObject([{ current: true }]);
  }, 15_000);

  test('ends two weeks after it began, as its cookie does, however much it is used', async () => {
    const user = await somebody();
    const begun = Date.now();
    const day = 24 * 3600_000;
    vi.useFakeTimers({ toFake: ['Date'], now: begun });
    for (const days of [5, 10, 13.9]) {
      vi.setSystemTime(begun + days * day);
      expect((await user.browser.get('/api/v4/user')).status).toBe(200);
    }
    vi.setSystemTime(begun + 14.1 * day);
    expect((await user.browser.get('/api/v4/user')).status).toBe(401);
  });

  test('S71 is stored as a digest', async () => {
    const user = await somebody();
    const cookie = user.browser.cookies.get('benchport_session') ?? '';
    expect(await service.services.sessions.row(cookie)).toMatchObject({ user_id: user.userId });
    expect(await service.services.sessions.row(secretDigest(cookie).toString('hex'))).toBeNull();
  });
});
