import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { browserAt } from '../../browser.ts';
import {
  oathtool,
  password,
  secondFactor,
  sendFactor,
  signedIn,
  turnTotpOn,
  withCsrf,
  type SignedIn,
} from '../second-factor-browser.ts';
import { useFreshService } from '../../use-service.ts';
import { grantOf } from '../grant-of.ts';

const service = useFreshService();
let alice: SignedIn;
let factors: Awaited<ReturnType<typeof turnTotpOn>>;

beforeEach(async () => {
  alice = await signedIn(service, 'alice', true);
  factors = await turnTotpOn(alice);
});
afterEach(() => void vi.useRealTimers());

const changes = [
  ['DELETE', '/api/v4/user/totp'],
  ['POST', '/api/v4/user/totp'],
  ['POST', '/api/v4/user/recovery_codes'],
  ['POST', '/api/v4/user/webauthn/options'],
  ['POST', '/api/v4/user/webauthn', { name: 'x', response: {} }],
  ['DELETE', '/api/v4/user/webauthn/1'],
] as const;

const needed = { type: 'urn:benchport:problem:second-factor-needed' };

/** Makes the session twenty minutes old and confirms with the password again. */
async function withPasswordAlone(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
  expect((await alice.call('POST', '/api/v4/session/confirm', { password })).status).toBe(204);
}

describe('L13: a session and the password do not suffice to change second factors', () => {
  test('they neither remove nor add one nor make recovery codes, also for an administrator', async () => {
    await withPasswordAlone();
    for (const [method, path, body] of [
      ...changes,
      ['PATCH', `/api/v4/users/${alice.userId}/disable_two_factor`] as const,
    ]) {
      const answer = await alice.call(method, path, body);
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 403, needed]);
    }
    expect(await service.services.secondFactors.enabled(alice.userId)).toBe(true);
  });

  test.each(['a code', 'a recovery code'])('%s does, once, and for 15 minutes', async (which) => {
    await withPasswordAlone();
    const code = which === 'a code' ? oathtool(factors.key) : (factors.recoveryCodes[0] ?? '');
    expect((await alice.call('POST', '/api/v4/session/confirm', { code })).status).toBe(204);
    expect((await alice.call('POST', '/api/v4/user/recovery_codes')).status).toBe(201);
    expect((await alice.call('POST', '/api/v4/session/confirm', { code })).status).toBe(403);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect((await alice.call('POST', '/api/v4/session/confirm', { password })).status).toBe(204);
    expect((await alice.call('DELETE', '/api/v4/user/totp')).status).toBe(403);
  });

  test('a wrong code is refused and counts towards the lock, and ten end the attempts', async () => {
    await withPasswordAlone();
    for (let i = 0; i < 10; i += 1) {
      const answer = await alice.call('POST', '/api/v4/session/confirm', { code: '000000' });
      expect([answer.status, await answer.json()]).toMatchObject([403, { type: 'urn:benchport:problem:wrong-code' }]);
    }
    expect((await alice.call('POST', '/api/v4/session/confirm', { code: factors.recoveryCodes[0] })).status).toBe(429);
    expect(await service.services.recoveryCodes.left(alice.userId)).toBe(10);
  });

  test('a sign-in with the second factor is proof; sending password and code together is not', async () => {
    const browser = browserAt(service);
    expect((await browser.signIn('alice', password)).headers.get('location')).toBe(secondFactor);
    await sendFactor(browser, { code: factors.recoveryCodes[1] ?? '' });
    const fresh = await withCsrf(browser, alice.userId);
    expect((await fresh.call('POST', '/api/v4/session/confirm', {})).status).toBe(400);
    expect((await fresh.call('POST', '/api/v4/session/confirm', { password, code: '000000' })).status).toBe(400);
    expect((await fresh.call('DELETE', '/api/v4/user/totp')).status).toBe(204);
    expect((await fresh.call('POST', '/api/v4/user/totp')).status).toBe(201);
  });
});

test('L3: tokens of a blocked account stay revoked when it is unblocked', async () => {
  const bob = await signedIn(service, 'bob');
  const token = await service.token(bob.userId, ['api']);
  const granted = await grantOf(service, bob.userId);
  const status = async (credential: string) =>
    (await fetch(`${service.url}/api/v4/user`, { headers: { authorization: `Bearer ${credential}` } })).status;
  const both = async () => [await status(token), await status(granted?.token.accessToken ?? '')];
  expect(await both()).toEqual([200, 200]);
  expect((await alice.call('POST', `/api/v4/users/${bob.userId}/block`)).status).toBe(201);
  expect(await both()).toEqual([401, 401]);
  expect((await alice.call('POST', `/api/v4/users/${bob.userId}/unblock`)).status).toBe(201);
  expect(await both()).toEqual([401, 401]);
  expect((await service.services.tokens.ofUser(bob.userId)).map(({ revoked_at: at }) => at)).toEqual([
    expect.any(Number),
  ]);
});
