import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkPassword } from '../../../../src-main/service/accounts/passwords/check-password.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { addUser, setState } from '../../people.ts';
import { browserAt, type Browser } from '../../browser.ts';
import { oathtool, password, secondFactor, sendFactor, signedIn, turnTotpOn } from '../second-factor-browser.ts';
import { useFreshService } from '../../use-service.ts';

const service = useFreshService();
afterEach(() => void vi.useRealTimers());

const check = (username: string, word: string, browser: string | null = null) =>
  checkPassword(service.services, username, word, { address: '127.0.0.1', browser });
const later = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });

async function add(username: string): Promise<number> {
  return (await addUser(service.services, username, { password })).id;
}

async function actionsOf(userId: number): Promise<string[]> {
  const { rows } = await service.services.auditList.page(
    { userId: null, action: 'user.', from: 0, before: Number.MAX_SAFE_INTEGER },
    100,
    0,
  );
  return rows
    .filter(({ subject }) => subject === `user:${userId}`)
    .map(({ action, detail }) => `${action} ${detail ?? ''}`.trim());
}

test('a password that was replaced while it was being checked does not sign anyone in', async () => {
  const bob = await add('bob');
  const next = await service.services.passwords.hash('quite another one');
  const asked = check('bob', password);
  await service.services.users.setPassword(bob, next);
  expect(await asked).toEqual({ ok: false, reason: 'wrong' });
  expect(await check('bob', 'quite another one')).toMatchObject({ ok: true });
});

describe('S95 ten failures', () => {
  test('lock an account for ten minutes, the right password included, and are audited', async () => {
    const alice = await add('alice');
    for (let i = 0; i < 9; i += 1) expect(await check('alice', `wrong ${i}`)).toEqual({ ok: false, reason: 'wrong' });
    expect(await check('alice', password)).toMatchObject({ ok: true });
    for (let i = 0; i < 10; i += 1) expect(await check('ALICE', `wrong ${i}`)).toEqual({ ok: false, reason: 'wrong' });
    expect(await check('alice', password)).toEqual({ ok: false, reason: 'locked' });
    expect((await actionsOf(alice)).slice(0, 3)).toEqual([
      'user.sign-in-failed account locked',
      'user.lock one place, after 10 failures',
      'user.sign-in-failed wrong password',
    ]);
    later(9.9);
    expect(await check('alice', password)).toEqual({ ok: false, reason: 'locked' });
    later(0.2);
    expect(await check('alice', password)).toMatchObject({ ok: true });
  });

  test('many attempts at once: at most ten are checked', async () => {
    await add('alice');
    const words = Array.from({ length: 60 }, (_, i) => (i === 30 ? password : `wrong ${i}`));
    const checks = await Promise.all(words.map((word) => check('alice', word)));
    expect(checks.some(({ ok }) => ok)).toBe(false);
    expect(checks.filter((one) => !one.ok && one.reason === 'wrong')).toHaveLength(10);
  });

  test('may be of passwords and of codes, and a right password alone does not reset the count', async () => {
    const user = await signedIn(service, 'alice');
    const { key, recoveryCodes } = await turnTotpOn(user);
    let browser: Browser = browserAt(service);
    for (let i = 0; i < 3; i += 1) await check('alice', 'wrong');
    await browser.signIn('alice', password);
    for (let i = 0; i < 4; i += 1) expect((await sendFactor(browser, { code: '000000' })).status).toBe(422);
    browser = browserAt(service);
    await browser.signIn('alice', password);
    expect((await sendFactor(browser, { code: 'zzzzz-zzzzz-zzzzz-zzzzz' })).status).toBe(422);
    expect((await sendFactor(browser, { response: '{}', code: '111111' })).status).toBe(422);
    expect(await check('alice', 'wrong')).toEqual({ ok: false, reason: 'wrong' });
    // While the account is locked, an attempt uses up neither a code nor a recovery code.
    expect((await sendFactor(browser, { code: recoveryCodes[0] ?? '' })).status).toBe(422);
    expect(await service.services.recoveryCodes.left(user.userId)).toBe(10);
    expect(await check('alice', password)).toEqual({ ok: false, reason: 'locked' });

    later(10.1);
    browser = browserAt(service);
    expect((await browser.signIn('alice', password)).headers.get('location')).toBe(secondFactor);
    expect((await sendFactor(browser, { code: oathtool(key) })).status).toBe(303);
    expect((await service.services.signInFailures.locks(Date.now())).size).toBe(0);
  });

  test('S103 a locked, a blocked, an unknown user and a wrong password get the same page', async () => {
    for (const name of ['alice', 'bob', 'blocked']) await add(name);
    for (let i = 0; i < 10; i += 1) await check('bob', 'wrong');
    await setState(service.services, 'blocked', 'blocked');
    const pages = new Set<string>();
    for (const [name, word] of [
      ['alice', 'wrong'],
      ['bob', password],
      ['blocked', password],
      ['nobody', password],
    ] as const) {
      const answer = await browserAt(service).signIn(name, word);
      expect(answer.status).toBe(422);
      pages.add((await answer.text()).replaceAll(name, 'NAME').replaceAll(/name="form_token" value="[^"]*"/g, ''));
    }
    expect(pages.size).toBe(1);
  });

  test('S103 unknown, known, locked and blocked users cost one password check each, and one write', async () => {
    for (const name of ['alice', 'locked', 'blocked']) await add(name);
    await service.user('nopassword');
    for (let i = 0; i < 10; i += 1) await check('locked', 'wrong');
    await setState(service.services, 'blocked', 'blocked');
    const names = ['alice', 'locked', 'blocked', 'nopassword', 'nobody'];
    let looks = 0;
    const { passwords } = service.services;
    const counted = {
      ...service.services,
      passwords: {
        ...passwords,
        verify: async (hash: string | null, word: string) => {
          looks += 1;
          return passwords.verify(hash, word);
        },
      },
    };
    const fastest = new Map(names.map((name) => [name, Number.POSITIVE_INFINITY]));
    // The minimum of interleaved rounds in processor time is little affected by other load.
    for (let round = 0; round < 9; round += 1) {
      for (const name of names) {
        const start = process.cpuUsage();
        await checkPassword(counted, name, 'wrong', { address: '127.0.0.1', browser: null });
        const { user, system } = process.cpuUsage(start);
        if (round > 0) fastest.set(name, Math.min(fastest.get(name) ?? 0, user + system));
      }
    }
    expect(looks).toBe(9 * names.length);
    const times = [...fastest.values()];
    // An answer without hashing would be ten times faster.
    expect(Math.max(...times) / Math.min(...times), JSON.stringify([...fastest])).toBeLessThan(2);
    const { total } = await service.services.auditList.page(
      { userId: null, action: 'user.sign-in-failed', from: 0, before: Number.MAX_SAFE_INTEGER },
      1,
      0,
    );
    expect(total.count).toBe(10 + looks);
  });
});

describe('S96 limits that say how long to wait', () => {
  test('second factor: by address and account', async () => {
    const user = await signedIn(service, 'alice');
    await turnTotpOn(user);
    const browser = browserAt(service);
    await browser.signIn('alice', password);
    for (let i = 0; i < 10; i += 1) expect((await sendFactor(browser, { code: '000000' })).status).toBe(422);
    const refused = await sendFactor(browser, { code: '000000' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Too many attempts');
  });

  test.each([
    ['POST', '/api/v4/session/confirm', { password: 'wrong' }],
    [
      'PUT',
      '/api/v4/user/password',
      { current_password: 'wrong', new_password: 'quite another one', revoke_tokens: false },
    ],
  ])('%s %s', async (method, path, body) => {
    const user = await signedIn(service, 'alice');
    const other = await signedIn(service, 'bob');
    for (let i = 0; i < 10; i += 1) expect((await user.call(method, path, body)).status).toBe(403);
    const refused = await user.call(method, path, body);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Ten failures have also locked the account for this browser; other browsers and other accounts
    // are not affected.
    expect(await check('alice', password, user.browser.cookies.get('benchport_browser'))).toEqual({
      ok: false,
      reason: 'locked',
    });
    expect(await check('alice', password)).toMatchObject({ ok: true });
    expect((await other.call('POST', '/api/v4/session/confirm', { password })).status).toBe(204);
  });
});

describe('a flood of sign-ins', () => {
  test('is refused with the time to wait when too many are queued, and downloads continue meanwhile', async () => {
    const userId = await add('alice');
    const token = await service.token(userId);
    await addMeasurement(service, userId, 'm', [{ path: 'a.bin', bytes: Buffer.alloc(1024 * 1024, 1) }]);
    const flood = Array.from({ length: 200 }, (_, i) =>
      service.services.passwords.verify(null, `guess ${i}`).then(
        () => 'checked',
        (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
      ),
    );
    const times: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const start = performance.now();
      const answer = await fetch(`${service.url}/measurements/m/files/0`, {
        headers: { authorization: `Bearer ${token}`, range: 'bytes=1000-1999' },
      });
      await answer.arrayBuffer();
      if (i === 0) expect(answer.status).toBe(206);
      times.push(performance.now() - start);
    }
    const page = await (await browserAt(service).get('/users/sign_in')).text();
    expect(page).toContain('form_token');
    const answers = await Promise.all(flood);
    expect(answers.filter((one) => one === 'checked').length).toBeGreaterThanOrEqual(128);
    expect(answers.filter((one) => one.includes('Too many sign-ins')).length).toBeGreaterThan(0);
    expect(times.toSorted((a, b) => a - b)[10], times.map(Math.round).join()).toBeLessThan(250);
  });
});
