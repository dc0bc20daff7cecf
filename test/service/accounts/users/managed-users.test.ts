import { describe, expect, test } from 'vitest';
import { startTestService } from '../../start.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { browserAt } from '../../browser.ts';
import { listen } from '../event-stream.ts';
import { password, signedIn, turnTotpOn } from '../second-factor-browser.ts';
import { json, useOwner } from './users-scene.ts';
import { grantOf } from '../grant-of.ts';

const scene = useOwner();
const { service } = scene;

describe('an administrator always remains', () => {
  const block = (id: number) => scene.owner.call('POST', `/api/v4/users/${id}/block`);

  test('the owner of the window is neither blocked nor demoted nor deleted', async () => {
    await service.user('bob', true);
    for (const answer of [
      await block(scene.owner.userId),
      await scene.owner.call('PUT', `/api/v4/users/${scene.owner.userId}`, { admin: false }),
      await scene.owner.call('DELETE', `/api/v4/users/${scene.owner.userId}`),
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
  const issued = await grantOf(service, bob.userId);
  const stream = await listen(service.url, { 'private-token': token });
  const ask = async (secret: string) =>
    (await fetch(`${service.url}/api/v4/users`, { headers: { authorization: `Bearer ${secret}` } })).status;
  const both = async () => [await ask(token), await ask(issued?.token.accessToken ?? '')];
  expect(await both()).toEqual([200, 200]);
  expect((await scene.owner.call('POST', `/api/v4/users/${bob.userId}/block`)).status).toBe(201);
  expect(await both()).toEqual([401, 401]);
  expect((await bob.browser.get('/api/v4/user')).status).toBe(401);
  await stream.closed;
  expect((await scene.owner.call('POST', `/api/v4/users/${bob.userId}/unblock`)).status).toBe(201);
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
    ['PUT', `/api/v4/users/${scene.owner.userId}`, { password: 'a grating of 600 lines' }, 403, 'Change your own'],
  ] as const;
  for (const [method, path, body, status, why] of wrong) {
    const answer = await scene.owner.call(method, path, body);
    expect([body, answer.status, await answer.text()]).toEqual([body, status, expect.stringContaining(why)]);
  }
  for (const [method, path, body] of [
    ['POST', '/api/v4/users', dave],
    ['PUT', `/api/v4/users/${carol}`, { admin: true }],
    ['PUT', `/api/v4/users/${carol}`, { password: 'a grating of 600 lines' }],
  ] as const) {
    const answer = await scene.owner.call(method, path, body);
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
    expect((await scene.owner.call('DELETE', `/api/v4/users/${bob.userId}`)).status).toBe(204);
    expect((await ask()).status).toBe(401);
    expect((await bob.browser.get('/api/v4/user')).status).toBe(401);
    expect((await browserAt(service).signIn('bob', password)).status).toBe(422);
    expect(await service.services.totpKeys.ofUser(bob.userId)).toBeNull();
    expect(await service.services.recoveryCodes.left(bob.userId)).toBe(0);
    expect(await service.services.tokens.ofUser(bob.userId)).toEqual([]);
    // The audit trail keeps the user name.
    expect(await json<unknown[]>(scene.owner.browser.get('/api/v4/audit_events?action=user.delete'))).toMatchObject([
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
    const answer = await scene.owner.call('DELETE', `/api/v4/users/${bob}`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      type: 'urn:benchport:problem:owns-measurements',
      detail: expect.stringContaining('qmr-114'),
    });
  });
});
