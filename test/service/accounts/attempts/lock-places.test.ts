import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkPassword } from '../../../../src-main/service/accounts/passwords/check-password.ts';
import { placeOf } from '../../../../src-main/service/accounts/store/sign-in-place.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { addUser } from '../../people.ts';
import { browserAt, type Browser } from '../../browser.ts';
import { password, withCsrf } from '../second-factor-browser.ts';
import { useFreshService } from '../../use-service.ts';

const service = useFreshService({ trustedProxies: ['127.0.0.1'] });
beforeEach(async () => {
  await addUser(service.services, 'alice', { password, isAdmin: true });
  await addUser(service.services, 'bob', { password });
});
afterEach(() => void vi.useRealTimers());

/** A browser with an address in a given network. */
function browserFrom(address: string): Browser {
  return browserAt(service, (url, init) =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-forwarded-for': address } }),
  );
}

async function grant(username: string, word: string, address: string): Promise<number> {
  const body = new URLSearchParams({ grant_type: 'password', username, password: word });
  return (await fetch(`${service.url}/oauth/token`, { method: 'POST', body, headers: { 'x-forwarded-for': address } }))
    .status;
}

const signInFrom = async (browser: Browser, username = 'bob', word = password) =>
  (await browser.signIn(username, word, '?again')).status;
const hours = (count: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + count * 3_600_000 });

/** Ten failed sign-ins of bob from one network. */
async function failFrom(address: string): Promise<void> {
  const place = await placeOf(service.services, 2, { address, browser: null });
  for (let i = 0; i < 10; i += 1) await service.services.signInFailures.record(2, 'wrong password', place, Date.now());
}

/** Fifty failed sign-ins from five networks. */
async function failFromManyNetworks(): Promise<void> {
  for (let network = 1; network <= 5; network += 1) await failFrom(`203.0.113.${network}`);
}

describe('M6: wrong passwords lock an account only for the network they are sent from', () => {
  test('guessing by the password grant locks that network and no other', async () => {
    for (let i = 0; i < 12; i += 1) expect(await grant('bob', `guess ${i}`, '203.0.113.1')).toBe(400);
    expect(await grant('bob', password, '203.0.113.1')).toBe(400);
    expect(await signInFrom(browserFrom('203.0.113.1'))).toBe(422);
    expect(await grant('bob', password, '198.51.100.7')).toBe(200);
    expect(await signInFrom(browserFrom('198.51.100.8'))).toBe(303);
  });

  test('a browser that the user has signed in with before gets in from a locked network too, and has its own limit', async () => {
    const known = browserFrom('203.0.113.1');
    expect(await signInFrom(known)).toBe(303);
    for (let i = 0; i < 10; i += 1) await signInFrom(browserFrom('203.0.113.1'), 'bob', 'wrong');
    expect(await signInFrom(browserFrom('203.0.113.1'))).toBe(429);
    expect(await grant('bob', password, '203.0.113.1')).toBe(400);
    expect(await signInFrom(known)).toBe(303);
    for (let i = 0; i < 10; i += 1) expect(await signInFrom(known, 'bob', 'wrong')).toBe(422);
    expect(await signInFrom(known)).toBe(429);
  });

  test('a copy of a browser’s cookie ends with the next sign-in there, and is worthless to other users', async () => {
    const known = browserFrom('203.0.113.1');
    await signInFrom(known);
    const copy = browserFrom('203.0.113.9');
    copy.setCookie('benchport_browser', known.cookies.get('benchport_browser') ?? '');
    await signInFrom(known);
    for (let i = 0; i < 10; i += 1) await signInFrom(copy, 'bob', 'wrong');
    expect(await signInFrom(known)).toBe(303);
    for (let i = 0; i < 10; i += 1) await signInFrom(known, 'alice', 'wrong');
    expect(await signInFrom(browserFrom('203.0.113.1'), 'alice')).toBe(429);
  });

  test('fifty failures within an hour over many networks lock all new networks for an hour, and no known one', async () => {
    const known = browserFrom('198.51.100.7');
    await signInFrom(known);
    await failFromManyNetworks();
    expect(await signInFrom(browserFrom('192.0.2.99'))).toBe(422);
    expect(await grant('bob', password, '192.0.2.98')).toBe(400);
    // The network is known and the browser is new.
    expect(await grant('bob', password, '198.51.100.7')).toBe(200);
    const travelling = browserFrom('192.0.2.97');
    travelling.setCookie('benchport_browser', known.cookies.get('benchport_browser') ?? '');
    expect(await signInFrom(travelling)).toBe(303);
    hours(1.01);
    expect(await signInFrom(browserFrom('192.0.2.96'))).toBe(303);
  });

  test('successful sign-ins do not reset the count over many networks', async () => {
    const known = browserFrom('198.51.100.7');
    await signInFrom(known);
    for (let network = 1; network <= 5; network += 1) {
      await failFrom(`203.0.113.${network}`);
      await signInFrom(known);
    }
    expect(await signInFrom(browserFrom('192.0.2.99'))).toBe(422);
  });

  test('an administrator sees where an account is locked, and unlocks it', async () => {
    const alice = browserFrom('198.51.100.1');
    await alice.signIn('alice', password);
    await failFromManyNetworks();
    const admin = await withCsrf(alice, 1);
    const list = async () =>
      (await (await alice.get('/api/v4/users/managed?search=bob')).json()) as readonly { readonly id: number }[];
    const [bob] = await list();
    expect(bob).toMatchObject({ locked_until: expect.any(String), locked_where: 'new-places' });
    expect((await admin.call('POST', `/api/v4/users/${bob?.id}/unblock`)).status).toBe(201);
    expect(await list()).toMatchObject([{ locked_until: null, locked_where: null }]);
    expect(await signInFrom(browserFrom('192.0.2.99'))).toBe(303);
  });

  test('a new password forgets the known browsers and networks', async () => {
    const known = browserFrom('198.51.100.7');
    await signInFrom(known);
    const bob = await withCsrf(known, 2);
    const other = browserFrom('198.51.100.8');
    await signInFrom(other);
    expect(
      (
        await bob.call('PUT', '/api/v4/user/password', {
          current_password: password,
          new_password: 'quite another one',
          revoke_tokens: false,
        })
      ).status,
    ).toBe(204);
    await failFromManyNetworks();
    expect(await signInFrom(other, 'bob', 'quite another one')).toBe(422);
    expect(await signInFrom(known, 'bob', 'quite another one')).toBe(303);
  });

  test('counters do not accumulate', async () => {
    await failFromManyNetworks();
    hours(2.1);
    await checkPassword(service.services, 'bob', 'wrong', { address: '203.0.113.77', browser: null });
    const beside = openBeside(service);
    expect(beside.prepare('SELECT place FROM sign_in_failures').all()).toEqual([{ place: 'network 203.0.113.77' }]);
    beside.close();
    const many = Array.from({ length: 120 }, (_, i) => `network 10.0.0.${i}`);
    for (const [index, place] of many.entries())
      await service.services.knownPlaces.remember(2, [place], Date.now() + index);
    const left = openBeside(service);
    expect(left.prepare('SELECT count(*) FROM known_places WHERE user_id = 2').pluck().get()).toBe(50);
    left.close();
  });
});

describe('B3: successful sign-ins do not count', () => {
  test('120 people behind one address sign in, at once and one after the other', async () => {
    const hash = (await service.services.users.byUsername('bob'))?.password_hash ?? null;
    const names = Array.from({ length: 120 }, (_, i) => `person-${i}`);
    for (const username of names)
      await service.services.users.create({
        username,
        name: username,
        email: null,
        passwordHash: hash,
        isAdmin: false,
      });
    const statuses = await Promise.all(names.map(async (name) => signInFrom(browserFrom('203.0.113.1'), name)));
    expect(new Set(statuses)).toEqual(new Set([303]));
    for (let i = 0; i < 15; i += 1) expect(await signInFrom(browserFrom('203.0.113.1'))).toBe(303);
  }, 60_000);

  test('many wrong passwords at once from one address: at most ten are checked for an account', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => signInFrom(browserFrom('203.0.113.1'), 'bob', 'wrong')),
    );
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });
});
