import { describe, expect, test } from 'vitest';
import type { ManagedUser } from '../../../../src-main/service/contract/account-security.ts';
import { asWindow } from '../../as-window.ts';
import { browserAt } from '../../browser.ts';
import { password, signedIn, turnTotpOn } from '../second-factor-browser.ts';
import { json, useOwner } from './users-scene.ts';

const scene = useOwner();
const { service } = scene;

describe('administrators', () => {
  test('list accounts by page, part of a name and state', async () => {
    for (const name of ['bob', 'carol', 'dave']) await service.user(name);
    const first = await scene.owner.browser.get('/api/v4/users/managed?per_page=2');
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
    expect(await json<ManagedUser[]>(scene.owner.browser.get('/api/v4/users/managed?search=AR'))).toMatchObject([
      { username: 'carol' },
    ]);
    expect(await json<ManagedUser[]>(scene.owner.browser.get('/api/v4/users/managed?search=%25'))).toEqual([]);
    const { id = 0 } = (await service.services.users.byUsername('bob')) ?? {};
    await service.services.users.setProfile(id, 'Боб', 'größe@bench.example');
    for (const search of ['БОБ', 'GRÖSSE@']) {
      expect(
        await json<ManagedUser[]>(
          scene.owner.browser.get(`/api/v4/users/managed?search=${encodeURIComponent(search)}`),
        ),
      ).toMatchObject([{ username: 'bob' }]);
    }
    expect(await json<ManagedUser[]>(scene.owner.browser.get('/api/v4/users/managed?state=blocked'))).toEqual([]);
  });

  test('U12: get the list sorted by the service, in both directions; another order is refused', async () => {
    for (const name of ['carol', 'bob']) {
      await service.user(name);
      // Different milliseconds of creation make the order definite.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const names = async (query: string): Promise<string[]> =>
      (await json<ManagedUser[]>(scene.owner.browser.get(`/api/v4/users/managed?${query}`))).map(
        ({ username }) => username,
      );
    expect(await names('order=desc')).toEqual(['carol', 'bob', 'alice']);
    expect(await names('sort=created_at')).toEqual(['alice', 'carol', 'bob']);
    expect(await names('sort=last_sign_in_at&order=desc')).toEqual(['alice', 'carol', 'bob']);
    expect(await names('sort=state&per_page=2&page=2')).toEqual(['carol']);
    expect((await scene.owner.browser.get('/api/v4/users/managed?sort=password_hash')).status).toBe(400);
  });

  test('add and change accounts; a new password signs the user out', async () => {
    const made = await scene.owner.call('POST', '/api/v4/users', {
      username: 'bob',
      name: 'Bob',
      email: 'bob@bench.example',
      password,
    });
    expect(made.status).toBe(201);
    const bob = (await made.json()) as ManagedUser;
    expect(bob).toMatchObject({ username: 'bob', email: 'bob@bench.example', is_admin: false, has_password: true });
    expect((await scene.owner.call('POST', '/api/v4/users', { username: 'BOB', name: 'x' })).status).toBe(409);
    expect(
      (await scene.owner.call('POST', '/api/v4/users', { username: 'eve', name: 'x', password: 'password1' })).status,
    ).toBe(400);
    expect(
      (await scene.owner.call('POST', '/api/v4/users', { username: 'eve', name: 'x', email: 'nowhere' })).status,
    ).toBe(400);

    const browser = browserAt(service);
    await browser.signIn('bob', password);
    const changed = await scene.owner.call('PUT', `/api/v4/users/${bob.id}`, {
      name: 'Robert',
      email: null,
      password: 'quite another one',
      admin: true,
    });
    expect(await changed.json()).toMatchObject({ name: 'Robert', email: null, is_admin: true });
    expect((await browser.get('/api/v4/user')).status).toBe(401);
    expect((await browserAt(service).signIn('bob', 'quite another one')).status).toBe(303);
    expect((await scene.owner.call('PUT', `/api/v4/users/${bob.id}`, { name: 'x', email: 'nowhere' })).status).toBe(
      400,
    );
    expect((await scene.owner.call('PUT', `/api/v4/users/${bob.id}`, { name: 'x', password: 'short' })).status).toBe(
      400,
    );
    expect((await service.services.users.byId(bob.id))?.name).toBe('Robert');
    expect(
      (await scene.owner.call('PUT', `/api/v4/users/${scene.owner.userId}`, { password: 'quite another one' })).status,
    ).toBe(403);
    expect((await scene.owner.call('PUT', '/api/v4/users/999', { name: 'x' })).status).toBe(404);
  });

  test('an application of an administrator cannot create accounts, passwords, secrets or trust or change sign-in, whatever its scopes', async () => {
    const app = (await (
      await scene.owner.call('POST', '/api/v4/user/applications', {
        name: 'ELN',
        redirect_uris: ['https://eln.bench.example/'],
        scopes: ['api'],
        confidential: true,
      })
    ).json()) as { id: number };
    const grant = {
      kind: 'password',
      application: null,
      userId: scene.owner.userId,
      scopes: ['api'],
      refreshable: false,
      address: null,
    } as const;
    const issued = await service.services.oauth.issueDirectly(grant);
    const bob = await service.user('bob');
    const blocked = await service.user('eve');
    expect((await scene.owner.call('POST', `/api/v4/users/${blocked}/block`)).status).toBe(201);
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
    expect(await json(scene.owner.browser.get('/api/v4/application/settings'))).toMatchObject({
      development_redirects: false,
    });
    expect(await service.services.applications.byId(app.id)).toMatchObject({ trusted: false });
  });

  test('remove lost second factors, and unlock', async () => {
    const bob = await signedIn(service, 'bob');
    await turnTotpOn(bob);
    expect(await json<ManagedUser[]>(scene.owner.browser.get('/api/v4/users/managed?search=bob'))).toMatchObject([
      { two_factor_enabled: true },
    ]);
    expect((await scene.owner.call('PATCH', `/api/v4/users/${bob.userId}/disable_two_factor`)).status).toBe(204);
    expect((await scene.owner.call('PATCH', `/api/v4/users/${bob.userId}/disable_two_factor`)).status).toBe(400);
    expect(await service.services.recoveryCodes.left(bob.userId)).toBe(0);
    const place = { address: '192.0.2.1', name: 'network 192.0.2.1', known: false };
    for (let i = 0; i < 10; i += 1)
      await service.services.signInFailures.record(bob.userId, 'wrong password', place, Date.now());
    expect(await json<ManagedUser[]>(scene.owner.browser.get('/api/v4/users/managed?search=bob'))).toMatchObject([
      { locked_until: expect.any(String), locked_where: 'one-place' },
    ]);
    expect(await json<ManagedUser>(scene.owner.call('POST', `/api/v4/users/${bob.userId}/unblock`))).toMatchObject({
      locked_until: null,
      locked_where: null,
    });
  });

  test('can do all of that in the window, and nobody else can do any of it', async () => {
    const bob = await signedIn(service, 'bob');
    const id = scene.owner.userId;
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
