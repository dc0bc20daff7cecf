import { beforeEach, describe, expect, test } from 'vitest';
import { createFirstUser } from '../../../../src-main/service/accounts/users/create-user.ts';
import type { ManagedUser } from '../../../../src-main/service/contract/account-security.ts';
import { startTestService } from '../../start.ts';
import { useFreshService } from '../../use-service.ts';
import { asWindow } from '../../as-window.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { browserAt } from '../../browser.ts';
import { listen } from '../event-stream.ts';
import { password, signedIn, turnTotpOn, withCsrf, type SignedIn } from '../second-factor-browser.ts';

const service = useFreshService();
let owner: SignedIn;

beforeEach(async () => {
  const user = await createFirstUser(service.services, {
    username: 'alice',
    name: 'Alice',
    email: null,
    password,
    isAdmin: true,
  });
  const browser = browserAt(service);
  await browser.signIn('alice', password);
  owner = await withCsrf(browser, user.id);
});

const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;

describe('administrators', () => {
  test('list accounts by page, part of a name and state', async () => {
    for (const name of ['bob', 'carol', 'dave']) await service.user(name);
    const first = await owner.browser.get('/api/v4/users/managed?per_page=2');
    expect(first.headers.get('x-total')).toBe('4');
    expect(await first.json()).toMatchObject([
      {
        username: 'alice',
        owner: true,
        is_admin: true,
        has_password: true,
        two_factor_enabled: false,
        last_sign_in_at: expect.any(String),
      },
      { username: 'bob', owner: false, has_password: false, locked_until: null, last_sign_in_at: null },
    ]);
    expect(await json<ManagedUser[]>(owner.browser.get('/api/v4/users/managed?search=AR'))).toMatchObject([
      { username: 'carol' },
    ]);
    expect(await json<ManagedUser[]>(owner.browser.get('/api/v4/users/managed?search=%25'))).toEqual([]);
    const { id = 0 } = (await service.services.users.byUsername('bob')) ?? {};
    await service.services.users.setProfile(id, 'Боб', 'größe@bench.example');
    for (const search of ['БОБ', 'GRÖSSE@']) {
      expect(
        await json<ManagedUser[]>(owner.browser.get(`/api/v4/users/managed?search=${encodeURIComponent(search)}`)),
      ).toMatchObject([{ username: 'bob' }]);
    }
    expect(await json<ManagedUser[]>(owner.browser.get('/api/v4/users/managed?state=blocked'))).toEqual([]);
  });

  test('U12: get the list sorted by the service, in both directions; another order is refused', async () => {
    for (const name of ['carol', 'bob']) {
      await service.user(name);
      // Different milliseconds of creation make the order definite.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const names = async (query: string): Promise<string[]> =>
      (await json<ManagedUser[]>(owner.browser.get(`/api/v4/users/managed?${query}`))).map(({ username }) => username);
    expect(await names('order=desc')).toEqual(['carol', 'bob', 'alice']);
    expect(await names('sort=created_at')).toEqual(['alice', 'carol', 'bob']);
    expect(await names('sort=last_sign_in_at&order=desc')).toEqual(['alice', 'carol', 'bob']);
    expect(await names('sort=state&per_page=2&page=2')).toEqual(['carol']);
    expect((await owner.browser.get('/api/v4/users/managed?sort=password_hash')).status).toBe(400);
  });

  test('add and change accounts; a new password signs the user out', async () => {
    const made = await owner.call('POST', '/api/v4/users', {
      username: 'bob',
      name: 'Bob',
      email: 'bob@bench.example',
      password,
    });
    expect(made.status).toBe(201);
    const bob = (await made.json()) as ManagedUser;
    expect(bob).toMatchObject({ username: 'bob', email: 'bob@bench.example', is_admin: false, has_password: true });
    expect((await owner.call('POST', '/api/v4/users', { username: 'BOB', name: 'x' })).status).toBe(409);
    expect(
      (await owner.call('POST', '/api/v4/users', { username: 'eve', name: 'x', password: 'password1' })).status,
    ).toBe(400);
    expect((await owner.call('POST', '/api/v4/users', { username: 'eve', name: 'x', email: 'nowhere' })).status).toBe(
      400,
    );

    const browser = browserAt(service);
    await browser.signIn('bob', password);
    const changed = await owner.call('PUT', `/api/v4/users/${bob.id}`, {
      name: 'Robert',
      email: null,
      password: 'quite another one',
      admin: true,
    });
    expect(await changed.json()).toMatchObject({ name: 'Robert', email: null, is_admin: true });
    expect((await browser.get('/api/v4/user')).status).toBe(401);
    expect((await browserAt(service).signIn('bob', 'quite another one')).status).toBe(303);
    expect((await owner.call('PUT', `/api/v4/users/${bob.id}`, { name: 'x', email: 'nowhere' })).status).toBe(400);
    expect((await owner.call('PUT', `/api/v4/users/${bob.id}`, { name: 'x', password: 'short' })).status).toBe(400);
    expect((await service.services.users.byId(bob.id))?.name).toBe('Robert');
    expect((await owner.call('PUT', `/api/v4/users/${owner.userId}`, { password: 'quite another one' })).status).toBe(
      403,
    );
    expect((await owner.call('PUT', '/api/v4/users/999', { name: 'x' })).status).toBe(404);
  });

  test('an application of an administrator cannot create accounts, passwords, secrets or trust or change sign-in, whatever its scopes', async () => {
    const app = (await (
      await owner.call('POST', '/api/v4/user/applications', {
        name: 'ELN',
        redirect_uris: ['https://eln.bench.example/'],
        scopes: ['api'],
        confidential: true,
      })
    ).json()) as { id: number };
    const grant = {
      kind: 'password',
      application: null,
      userId: owner.userId,
      scopes: ['api'],
      refreshable: false,
      address: null,
    } as const;
    const issued = await service.services.oauth.issueDirectly(grant);
    const bob = await service.user('bob');
    const blocked = await service.user('eve');
    expect((await owner.call('POST', `/api/v4/users/${blocked}/block`)).status).toBe(201);
    const call = (method: string, path: string, body: object) =>
      fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${issued?.token.accessToken ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    for (const [method, path, body] of [
      ['POST', '/api/v4/users', { username: 'mallory', name: 'Mallory', password }],
      ['PUT', `/api/v4/users/${bob}`, { password }],
      ['PUT', `/api/v4/users/${bob}`, { admin: true }],
      ['PUT', `/api/v4/users/${bob}`, { name: 'Bob', email: 'head@bench.example' }],
      ['PUT', `/api/v4/users/${bob}`, { name: 'Bob' }],
      ['POST', `/api/v4/users/${bob}/block`, {}],
      ['POST', `/api/v4/users/${blocked}/unblock`, {}],
      ['PUT', '/api/v4/application/settings', { development_redirects: true }],
      ['PATCH', `/api/v4/users/${bob}/disable_two_factor`, {}],
      ['POST', '/api/v4/applications', { name: 'x', redirect_uri: 'https://x.example/', scopes: 'api' }],
      ['POST', `/api/v4/applications/${app.id}/renew-secret`, {}],
      ['PATCH', `/api/v4/user/applications/${app.id}`, { trusted: true }],
    ] as const)
      expect((await call(method, path, body)).status, `${method} ${path}`).toBe(403);
    expect([await service.services.users.byId(bob), await service.services.users.byId(blocked)]).toMatchObject([
      { name: 'bob', email: null, state: 'active' },
      { state: 'blocked' },
    ]);
    expect(await json(owner.browser.get('/api/v4/application/settings'))).toMatchObject({
      development_redirects: false,
    });
    expect(await service.services.applications.byId(app.id)).toMatchObject({ trusted: false });
  });

  test('remove lost second factors, and unlock', async () => {
    const bob = await signedIn(service, 'bob');
    await turnTotpOn(bob);
    expect(await json<ManagedUser[]>(owner.browser.get('/api/v4/users/managed?search=bob'))).toMatchObject([
      { two_factor_enabled: true },
    ]);
    expect((await owner.call('PATCH', `/api/v4/users/${bob.userId}/disable_two_factor`)).status).toBe(204);
    expect((await owner.call('PATCH', `/api/v4/users/${bob.userId}/disable_two_factor`)).status).toBe(400);
    expect(await service.services.recoveryCodes.left(bob.userId)).toBe(0);
    const place = { address: '192.0.2.1', name: 'network 192.0.2.1', known: false };
    for (let i = 0; i < 10; i += 1)
      await service.services.signInFailures.record(bob.userId, 'wrong password', place, Date.now());
    expect(await json<ManagedUser[]>(owner.browser.get('/api/v4/users/managed?search=bob'))).toMatchObject([
      { locked_until: expect.any(String), locked_where: 'one-place' },
    ]);
    expect(await json<ManagedUser>(owner.call('POST', `/api/v4/users/${bob.userId}/unblock`))).toMatchObject({
      locked_until: null,
      locked_where: null,
    });
  });

  test('can do all of that in the window, and nobody else can do any of it', async () => {
    const bob = await signedIn(service, 'bob');
    const id = owner.userId;
    for (const [method, path] of [
      ['GET', '/api/v4/users/managed'],
      ['POST', '/api/v4/users'],
      ['PUT', `/api/v4/users/${id}`],
      ['POST', `/api/v4/users/${id}/block`],
      ['POST', `/api/v4/users/${id}/unblock`],
      ['PATCH', `/api/v4/users/${id}/disable_two_factor`],
      ['DELETE', `/api/v4/users/${id}`],
      ['GET', '/api/v4/audit_events'],
      ['GET', '/api/v4/audit_events.csv'],
    ] as const) {
      const answer =
        method === 'GET' ? await bob.browser.get(path) : await bob.call(method, path, { username: 'x', name: 'x' });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(
      (await asWindow(service, 'POST', '/api/v4/users', { username: 'carol', name: 'Carol', admin: true })).status,
    ).toBe(201);
  });
});

describe('an administrator always remains', () => {
  const block = (id: number) => owner.call('POST', `/api/v4/users/${id}/block`);

  test('the owner of the window is neither blocked nor demoted nor deleted', async () => {
    await service.user('bob', true);
    for (const answer of [
      await block(owner.userId),
      await owner.call('PUT', `/api/v4/users/${owner.userId}`, { admin: false }),
      await owner.call('DELETE', `/api/v4/users/${owner.userId}`),
    ]) {
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({
        type: 'urn:benchport:problem:window-owner',
        detail: expect.stringContaining('alice'),
      });
    }
  });

  test('nor is the last active administrator, also when two demote each other at once', async () => {
    const own = await startTestService();
    const { users } = own.services;
    const [first, second] = [await own.user('first', true), await own.user('second', true)];
    const ended = await Promise.all([users.setState(first, 'blocked'), users.setAdmin(second, false)]);
    expect(ended.toSorted()).toEqual([false, true]);
    const last = ended[0] ? second : first;
    expect(await users.remove(last)).toBe(false);
    expect(await users.setState(last, 'blocked')).toBe(false);
    const token = await own.token(last, ['api']);
    const answer = await fetch(`${own.url}/api/v4/users/${last}/block`, {
      method: 'POST',
      headers: { 'private-token': token },
    });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ type: 'urn:benchport:problem:last-administrator' });
    expect(await users.setState(first, 'active')).toBe(true);
    expect(await users.setAdmin(second, false)).toBe(true);
    await own.end();
  });
});

test('a blocked user loses everything at once: sessions, event streams, tokens and grants of applications', async () => {
  const bob = await signedIn(service, 'bob');
  const token = await service.token(bob.userId, ['api']);
  const issued = await service.services.oauth.issueDirectly({
    kind: 'password',
    application: null,
    userId: bob.userId,
    scopes: ['api'],
    refreshable: false,
    address: null,
  });
  const stream = await listen(service.url, { 'private-token': token });
  const ask = async (secret: string) =>
    (await fetch(`${service.url}/api/v4/users`, { headers: { authorization: `Bearer ${secret}` } })).status;
  const both = async () => [await ask(token), await ask(issued?.token.accessToken ?? '')];
  expect(await both()).toEqual([200, 200]);
  expect((await owner.call('POST', `/api/v4/users/${bob.userId}/block`)).status).toBe(201);
  expect(await both()).toEqual([401, 401]);
  expect((await bob.browser.get('/api/v4/user')).status).toBe(401);
  await stream.closed;
  expect((await owner.call('POST', `/api/v4/users/${bob.userId}/unblock`)).status).toBe(201);
  expect((await bob.browser.get('/api/v4/user')).status).toBe(401);
  expect((await browserAt(service).signIn('bob', password)).status).toBe(303);
}, 15_000);

test('what is wrong with a new or changed account is said before a password is asked for', async () => {
  const bob = await service.user('bob');
  const carol = await service.user('carol');
  await service.services.users.setProfile(bob, 'Bob', 'bob@bench.example');
  const beside = openBeside(service);
  beside.prepare('UPDATE sessions SET confirmed_at = 0').run();
  beside.close();
  const dave = { username: 'dave', name: 'Dave', admin: true };
  const wrong = [
    ['POST', '/api/v4/users', { ...dave, username: 'BOB' }, 409, 'taken'],
    ['POST', '/api/v4/users', { ...dave, email: 'Bob@bench.example' }, 409, 'taken'],
    ['POST', '/api/v4/users', { ...dave, email: 'nowhere' }, 400, 'is not an e-mail address'],
    ['POST', '/api/v4/users', { ...dave, password: 'password1' }, 400, 'too easy to guess'],
    ['POST', '/api/v4/users', { ...dave, name: 'Da\u202eve' }, 400, 'The name'],
    ['PUT', `/api/v4/users/${carol}`, { admin: true, email: 'bob@bench.example' }, 409, 'taken'],
    ['PUT', `/api/v4/users/${carol}`, { admin: true, email: 'nowhere' }, 400, 'is not an e-mail address'],
    ['PUT', `/api/v4/users/${carol}`, { password: 'password1' }, 400, 'too easy to guess'],
    [
      'POST',
      `/api/v4/users/${carol}/personal_access_tokens`,
      { name: ' ', scopes: ['api'] },
      400,
      'Give the token a name',
    ],
    ['POST', '/api/v4/users/999999/personal_access_tokens', { name: 'x', scopes: ['api'] }, 404, '404'],
    ['PUT', `/api/v4/users/${owner.userId}`, { password: 'a grating of 600 lines' }, 403, 'Change your own'],
  ] as const;
  for (const [method, path, body, status, why] of wrong) {
    const answer = await owner.call(method, path, body);
    expect([body, answer.status, await answer.text()]).toEqual([body, status, expect.stringContaining(why)]);
  }
  for (const [method, path, body] of [
    ['POST', '/api/v4/users', dave],
    ['PUT', `/api/v4/users/${carol}`, { admin: true }],
    ['PUT', `/api/v4/users/${carol}`, { password: 'a grating of 600 lines' }],
  ] as const) {
    const answer = await owner.call(method, path, body);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ type: 'urn:benchport:problem:confirmation-needed' });
  }
  expect((await service.services.users.byId(carol))?.is_admin).toBe(0);
  expect(await service.services.users.byUsername('dave')).toBeNull();
});

describe('S77 a deleted user', () => {
  test('loses sign-ins, second factors, tokens and grants, in the running service at once', async () => {
    const bob = await signedIn(service, 'bob');
    await turnTotpOn(bob);
    const token = await service.token(bob.userId, ['api']);
    const ask = () => fetch(`${service.url}/api/v4/user`, { headers: { 'private-token': token } });
    expect((await ask()).status).toBe(200);
    expect((await owner.call('DELETE', `/api/v4/users/${bob.userId}`)).status).toBe(204);
    expect((await ask()).status).toBe(401);
    expect((await bob.browser.get('/api/v4/user')).status).toBe(401);
    expect((await browserAt(service).signIn('bob', password)).status).toBe(422);
    expect(await service.services.totpKeys.ofUser(bob.userId)).toBeNull();
    expect(await service.services.recoveryCodes.left(bob.userId)).toBe(0);
    expect(await service.services.tokens.ofUser(bob.userId)).toEqual([]);
    // The audit trail keeps the user name.
    expect(await json<unknown[]>(owner.browser.get('/api/v4/audit_events?action=user.delete'))).toMatchObject([
      { user: 'alice', subject: `user:${bob.userId}`, detail: 'bob' },
    ]);
  });

  test('owns no measurements; the refusal names them', async () => {
    const bob = await service.user('bob');
    await service.services.registrations.reserve({
      id: 'qmr-114',
      title: 't',
      ownerId: bob,
      storage: 'reference',
      root: '/data',
    });
    const answer = await owner.call('DELETE', `/api/v4/users/${bob}`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      type: 'urn:benchport:problem:owns-measurements',
      detail: expect.stringContaining('qmr-114'),
    });
  });
});
