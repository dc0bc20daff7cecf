import { afterEach, describe, expect, test } from 'vitest';
import { addUser } from '../../people.ts';
import { startTestService, type TestService } from '../../start.ts';
import { browserAt, csrfOf, hiddenFields } from '../../browser.ts';
import { password, useSignIn } from './sign-in-scene.ts';

const { service } = useSignIn();

describe('the sign-in page', () => {
  test('is plain HTML with a stylesheet and no script, and is not stored', async () => {
    const answer = await browserAt(service).get('/users/sign_in');
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page).not.toContain('<script');
    expect(page).not.toContain(' style=');
    const css = /href="(\/-\/[^"]+)"/.exec(page)?.[1] ?? '';
    const style = await fetch(service.url + css);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await style.text()).toContain('prefers-color-scheme: dark');
  });

  test('S32 works as a form, with a session that ends at sign-out', async () => {
    const browser = browserAt(service);
    const answer = await browser.signIn('alice', password);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/ui/');
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('benchport_session='));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).not.toMatch(/Secure|Domain/);
    expect(await (await browser.get('/api/v4/user')).json()).toMatchObject({ username: 'alice' });
    expect((await browser.get('/users/sign_in')).status).toBe(303);

    const session = browser.cookies.get('benchport_session') ?? '';
    expect((await browser.postForm('/users/sign_out', {})).status).toBe(403);
    expect((await browser.postForm('/users/sign_out', { csrf_token: await csrfOf(browser) })).status).toBe(303);
    browser.setCookie('benchport_session', session);
    expect((await browser.get('/api/v4/user')).status).toBe(401);
  });

  test('signs out from the screens with the CSRF header', async () => {
    const browser = browserAt(service);
    await browser.signIn('alice', password);
    expect((await browser.send('POST', '/users/sign_out', {}, { 'x-csrf-token': await csrfOf(browser) })).status).toBe(
      204,
    );
    expect((await browser.get('/api/v4/user')).status).toBe(401);
  });

  test('user names are case-insensitive, passwords are not', async () => {
    expect((await browserAt(service).signIn('ALICE', password)).status).toBe(303);
    expect((await browserAt(service).signIn('alice', password.toUpperCase())).status).toBe(422);
  });

  test('a composed and a decomposed password are the same', async () => {
    const accented = 'pässwort lang';
    await addUser(service.services, 'umlaut', { password: accented.normalize('NFD') });
    expect((await browserAt(service).signIn('umlaut', accented.normalize('NFC'))).status).toBe(303);
  });

  test('S31 a new session replaces the existing one', async () => {
    const browser = browserAt(service);
    await browser.signIn('alice', password);
    const first = browser.cookies.get('benchport_session') ?? '';
    const page = await (await browserAt(service).get('/users/sign_in')).text();
    const other = browserAt(service);
    const form = await (await other.get('/users/sign_in')).text();
    other.setCookie('benchport_session', first);
    expect(page).toContain('form_token');
    expect(
      (await other.postForm('/users/sign_in', { ...hiddenFields(form), username: 'alice', password })).status,
    ).toBe(303);
    expect(other.cookies.get('benchport_session')).not.toBe(first);
    expect((await browser.get('/api/v4/user')).status).toBe(401);
  });
});

describe('a failed sign-in', () => {
  test('reads the same for a wrong password, an unknown user and a user without a password', async () => {
    const texts = [];
    for (const name of ['alice', 'nobody', 'nopassword']) {
      const answer = await browserAt(service).signIn(name, 'a wrong password');
      expect(answer.status).toBe(422);
      expect(answer.headers.getSetCookie().join()).not.toContain('benchport_session');
      texts.push(/role="alert">([^<]*)</.exec(await answer.text())?.[1]);
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('do not match');
  });

  test.each([
    ['no fields', {}],
    ['an empty password', { username: 'alice', password: '' }],
    ['a long password', { username: 'alice', password: 'x'.repeat(129) }],
    ['a long user name', { username: 'x'.repeat(300), password }],
    ['NUL', { username: 'alice\0', password }],
  ])('refuses %s', async (_name, fields: Record<string, string>) => {
    const browser = browserAt(service);
    const page = await (await browser.get('/users/sign_in')).text();
    expect((await browser.postForm('/users/sign_in', { ...hiddenFields(page), ...fields })).status).toBe(422);
  });

  test('escapes the user name', async () => {
    const answer = await browserAt(service).signIn('"><script>alert(1)</script>', 'x');
    expect(await answer.text()).not.toContain('<script');
  });

  test('without the token of our own form is refused', async () => {
    const fields = { username: 'alice', password };
    const none = browserAt(service);
    expect((await none.postForm('/users/sign_in', fields)).status).toBe(403);
    const victim = browserAt(service);
    await victim.get('/users/sign_in');
    const attacker = hiddenFields(await (await browserAt(service).get('/users/sign_in')).text());
    expect((await victim.postForm('/users/sign_in', { ...attacker, ...fields })).status).toBe(403);
    const own = hiddenFields(await (await victim.get('/users/sign_in')).text());
    expect(
      (await victim.postForm('/users/sign_in', { ...own, ...fields }, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
    expect(victim.cookies.has('benchport_session')).toBe(false);
    expect((await victim.postForm('/users/sign_in', { ...own, ...fields })).status).toBe(303);
  });

  test('with a body that is too long or not a form is refused', async () => {
    const browser = browserAt(service);
    expect((await browser.postForm('/users/sign_in', { username: 'x'.repeat(40_000) })).status).toBe(413);
    expect((await browser.send('POST', '/users/sign_in', ['alice'])).status).toBe(403);
  });
});

describe('guessing', () => {
  let own: TestService;
  afterEach(() => own.end());

  test('is stopped for a user name after ten attempts, with the time to wait, while others sign in', async () => {
    own = await startTestService();
    await addUser(own.services, 'alice', { password });
    await addUser(own.services, 'bob', { password });
    for (let i = 0; i < 10; i += 1) expect((await browserAt(own).signIn('alice', `wrong ${i}`)).status).toBe(422);
    const refused = await browserAt(own).signIn('Alice', password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Too many attempts');
    expect((await browserAt(own).signIn('bob', password)).status).toBe(303);
  });

  test('is stopped for an address whatever the names', async () => {
    own = await startTestService();
    await addUser(own.services, 'alice', { password });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => browserAt(own).signIn(`name${i}`, 'wrong')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect((await browserAt(own).signIn('alice', password)).status).toBe(429);
  });

  test('before the first account exists there is no sign-in', async () => {
    own = await startTestService();
    expect(await (await browserAt(own).get('/users/sign_in')).text()).toContain('not set up yet');
  });

  test('S32 under HTTPS the cookies are Secure and carry the __Host- prefix, and plain ones are ignored', async () => {
    own = await startTestService({ baseUrl: 'https://bench.example' });
    await addUser(own.services, 'alice', { password });
    const browser = browserAt({ url: `http://127.0.0.1:${own.port}` });
    const answer = await browser.signIn('alice', password);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-benchport_session='));
    expect(cookie).toMatch(/Path=\/;.*HttpOnly;.*Secure;.*SameSite=Lax/);
    const value = browser.cookies.get('__Host-benchport_session') ?? '';
    expect(
      (await fetch(`http://127.0.0.1:${own.port}/api/v4/user`, { headers: { cookie: `benchport_session=${value}` } }))
        .status,
    ).toBe(401);
    expect((await browser.get('/api/v4/user')).status).toBe(200);
  });
});
