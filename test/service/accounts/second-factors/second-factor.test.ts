import { describe, expect, test, vi } from 'vitest';
import { newRecoveryCodes } from '../../../../src-main/service/accounts/second-factors/recovery-codes.ts';
import { setState } from '../../people.ts';
import { browserAt } from '../../browser.ts';
import {
  factorForm,
  oathtool,
  password,
  secondFactor,
  sendFactor,
  withCsrf,
  type SignedIn,
} from '../second-factor-browser.ts';
import { setUpFactors } from './factors-scene.ts';

const { somebody, service } = setUpFactors();

describe('signing in with a second factor', () => {
  test('S31 the password alone gives no access; the code begins a new session, and the one before is dead', async () => {
    const user = await somebody();
    const before = user.browser.cookies.get('benchport_session') ?? '';
    const browser = browserAt(service);
    browser.setCookie('benchport_session', before);
    const first = await (async () => {
      const page = await (await browser.get('/users/sign_in?again&return_to=/ui/tokens')).text();
      const token = /name="form_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
      return browser.postForm('/users/sign_in', {
        form_token: token,
        return_to: '/ui/tokens',
        username: user.username,
        password,
      });
    })();
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toBe(secondFactor);
    expect(first.headers.getSetCookie().join()).not.toContain('benchport_session');
    const pending = first.headers.getSetCookie().find((line) => line.startsWith('benchport_pending='));
    expect(pending).toMatch(/benchport_pending=[0-9a-f]{64}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax/);

    const fresh = browserAt(service);
    fresh.setCookie('benchport_pending', browser.cookies.get('benchport_pending') ?? '');
    expect((await fresh.get('/api/v4/user')).status).toBe(401);
    fresh.setCookie('benchport_session', browser.cookies.get('benchport_pending') ?? '');
    expect((await fresh.get('/api/v4/user')).status).toBe(401);

    const done = await sendFactor(browser, { code: oathtool(user.key) });
    expect(done.status).toBe(303);
    expect(done.headers.get('location')).toBe('/ui/tokens');
    const after = browser.cookies.get('benchport_session') ?? '';
    expect(after).toMatch(/^[0-9a-f]{64}$/);
    expect(after).not.toBe(before);
    expect(browser.cookies.has('benchport_pending')).toBe(false);
    expect((await browser.get('/api/v4/user')).status).toBe(200);
    expect((await user.browser.get('/api/v4/user')).status).toBe(401);
  });

  test('is a page without scripts that is not stored, for users without a security key', async () => {
    const user = await somebody();
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    const answer = await browser.get(secondFactor);
    const page = await answer.text();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(page).toContain('Authenticator code or recovery code');
    expect(page).not.toContain('<script');
    expect(page).not.toContain(' style=');
    const script = await browser.get('/-/security-key.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(
      (await browser.get('/-/security-key.js', { 'if-none-match': script.headers.get('etag') ?? '' })).status,
    ).toBe(304);
  });

  test('S97 a code works once, whichever of its three steps it is used in', async () => {
    const user = await somebody();
    const code = oathtool(user.key);
    for (const expected of [303, 422]) {
      const browser = browserAt(service);
      await browser.signIn(user.username, password);
      expect((await sendFactor(browser, { code })).status).toBe(expected);
    }
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    expect((await sendFactor(browser, { code: oathtool(user.key, Date.now() + 30_000) })).status).toBe(303);
    // The code of the skipped step is older than the newest one used.
    const late = browserAt(service);
    await late.signIn(user.username, password);
    expect((await sendFactor(late, { code: oathtool(user.key) })).status).toBe(422);
  });

  test('S98 a recovery code works once, however it is typed, and new codes replace the old ones', async () => {
    const user = await somebody();
    expect(new Set(user.recoveryCodes).size).toBe(10);
    for (const code of user.recoveryCodes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);
    const [first = '', second = '', third = ''] = user.recoveryCodes;
    for (const [code, expected] of [
      [first, 303],
      [first, 422],
      [` ${second.toUpperCase().replaceAll('-', ' ')} `, 303],
      [`${third.slice(0, -1)}!`, 422],
    ] as const) {
      const browser = browserAt(service);
      await browser.signIn(user.username, password);
      expect((await sendFactor(browser, { code })).status).toBe(expected);
    }
    expect(await service.services.recoveryCodes.left(user.userId)).toBe(8);
    const fresh = await signedInAgain(user);
    const renewed = (
      (await (await fresh.call('POST', '/api/v4/user/recovery_codes', {})).json()) as { recovery_codes: string[] }
    ).recovery_codes;
    expect(renewed).toHaveLength(10);
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    expect((await sendFactor(browser, { code: third })).status).toBe(422);
    expect((await sendFactor(browser, { code: renewed[0] ?? '' })).status).toBe(303);
  });

  test('S98 a recovery code has 100 random bits', () => {
    const seen = newRecoveryCodes().concat(newRecoveryCodes()).join('').replaceAll('-', '');
    expect(seen).toHaveLength(20 * 20);
    // Each of the 32 characters carries five bits; 400 codes contain nearly all of them.
    expect(new Set(seen).size).toBeGreaterThan(28);
  });

  test('many attempts at once: one is checked', async () => {
    const user = await somebody();
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    const form = await factorForm(browser);
    const pending = browser.cookies.get('benchport_pending') ?? '';
    const token = browser.cookies.get('benchport_form') ?? '';
    const codes = Array.from({ length: 8 }, (_, i) => (i === 4 ? oathtool(user.key) : '000000'));
    const answers = await Promise.all(
      codes.map((code) => {
        const one = browserAt(service);
        one.setCookie('benchport_pending', pending);
        one.setCookie('benchport_form', token);
        return sendFactor(one, { code }, form);
      }),
    );
    const checked = ({ status, headers }: Response) =>
      status === 422 || headers.getSetCookie().some((line) => line.startsWith('benchport_session='));
    expect(answers.filter(checked)).toHaveLength(1);
    expect(answers.filter((answer) => answer.headers.get('location') === '/users/sign_in')).toHaveLength(7);
  });

  test('after a failure there is another attempt, and the previous record is dead', async () => {
    const user = await somebody();
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    const before = browser.cookies.get('benchport_pending') ?? '';
    const wrong = await sendFactor(browser, { code: '000000' });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain('This code is wrong');
    expect(browser.cookies.get('benchport_pending')).not.toBe(before);
    const old = browserAt(service);
    old.setCookie('benchport_pending', before);
    expect((await old.get(secondFactor)).headers.get('location')).toBe('/users/sign_in');
    expect((await sendFactor(browser, { code: oathtool(user.key) })).status).toBe(303);
  });

  test('needs the form of our own page, and ends after five minutes', async () => {
    const user = await somebody();
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    expect((await browser.postForm(secondFactor, { code: oathtool(user.key) })).status).toBe(403);
    expect(
      (
        await browser.postForm(
          secondFactor,
          { ...(await factorForm(browser)), code: '000000' },
          { 'sec-fetch-site': 'cross-site' },
        )
      ).status,
    ).toBe(403);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 + 1000 });
    expect((await browser.get(secondFactor)).headers.get('location')).toBe('/users/sign_in');
    expect((await browserAt(service).get(secondFactor)).headers.get('location')).toBe('/users/sign_in');
  });

  test('is refused when the account is blocked in between', async () => {
    const user = await somebody();
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    await setState(service.services, user.username, 'blocked');
    expect((await sendFactor(browser, { code: oathtool(user.key) })).status).toBe(422);
  });

  test('ends when the password is changed in between', async () => {
    const user = await somebody();
    const browser = browserAt(service);
    await browser.signIn(user.username, password);
    const form = await factorForm(browser);
    await service.services.users.setPassword(user.userId, await service.services.passwords.hash('quite another one'));
    const answer = await sendFactor(browser, { code: oathtool(user.key) }, form);
    expect(answer.headers.get('location')).toBe('/users/sign_in');
    expect(browser.cookies.get('benchport_session')).toBeUndefined();
  });
});

async function signedInAgain(user: {
  readonly username: string;
  readonly userId: number;
  readonly key: string;
}): Promise<SignedIn> {
  const browser = browserAt(service);
  await browser.signIn(user.username, password);
  if ((await sendFactor(browser, { code: oathtool(user.key) })).status !== 303) throw new Error('not signed in');
  return withCsrf(browser, user.userId);
}
