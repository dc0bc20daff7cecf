import { describe, expect, test } from 'vitest';
import {
  changeApplication,
  removeApplication,
} from '../../../../src-main/service/oauth/applications/application-change.ts';
import { browserAt, csrfOf, hiddenFields } from '../../browser.ts';
import { setState } from '../../people.ts';
import { answerOf, authorizePath, callback, challenge, press } from '../authorize-fixture.ts';
import { useConsent } from './consent-scene.ts';

const scene = useConsent();
const { provider, consent, exchange } = scene;

const by = { userId: null, address: null };

describe('the consent page', () => {
  test('S26 S27 S25 S38 cannot be framed, runs no scripts, sends no referrer, and is not stored', async () => {
    const { application } = await provider.register();
    const response = await scene.bob.get(authorizePath({ client_id: application.clientId }));
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).not.toMatch(/<script| style=| on[a-z]+=/);
  });

  test.each([
    [callback, 'https:'],
    ['http://127.0.0.1:4000/cb', 'http:'],
    ['http://[::1]:4000/cb', 'http:'],
    ['com.example.plotter:/cb', 'com.example.plotter:'],
  ])('S28 its form may lead to %s by %s', async (uri, source) => {
    const { application } = await provider.register({ redirectUris: [uri] });
    const response = await scene.bob.get(authorizePath({ client_id: application.clientId, redirect_uri: uri }));
    expect(response.headers.get('content-security-policy')).toContain(`form-action 'self' ${source};`);
  });

  test('S34 shows the application, the user, the scopes and the target; a script in the name is inert', async () => {
    const { application } = await provider.register({ name: '<script>alert(1)</script>', ownerId: provider.ids.alice });
    const page = await consent(application, { scope: 'read_user api' });
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('<script');
    expect(page).toContain('alice of the lab');
    expect(page).toContain('<code>app.example</code');
    expect(page).toContain('Read the profile of its user');
    expect(page).toContain('Everything its user may do');
    expect(page).toContain('<strong>bob</strong>');
  });

  test('S34 a name with bidirectional controls is not registered', async () => {
    await expect(provider.register({ name: 'Plotter \u202Egnp.exe' })).rejects.toThrow('name');
    await expect(provider.register({ name: 'Plot\nter' })).rejects.toThrow('name');
  });

  test('S37 submits nothing by itself, and focuses neither button', async () => {
    const { application } = await provider.register();
    const page = await consent(application);
    expect(page).not.toMatch(/autofocus|http-equiv="refresh"/);
    expect(await (await fetch(`${provider.url}/-/pages.css`)).text()).toContain(
      '.decide:hover button { animation: arm',
    );
  });
});

describe('the decision', () => {
  test('S24 approving redirects with 303 and a code that works once, and is audited', async () => {
    const { application, secret } = await provider.register();
    const response = await press(scene.bob, await consent(application), 'approve');
    expect(response.status).toBe(303);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { url, members } = answerOf(response);
    expect(url).toBe(callback);
    expect(Object.keys(members)).toEqual(['code', 'state', 'iss']);
    const token = await exchange(application.clientId, secret, members['code'] ?? '');
    expect(token.status).toBe(200);
    expect(await token.json()).toMatchObject({ token_type: 'bearer', scope: 'read_user' });
    expect(provider.audited(application.id)).toContainEqual({
      action: 'oauth.approve',
      detail: 'asked, code, read_user',
    });
  });

  test('S36 denying redirects with access_denied and nothing else, and is audited', async () => {
    const { application } = await provider.register();
    const response = await press(scene.bob, await consent(application), 'deny');
    expect(response.status).toBe(303);
    const { members } = answerOf(response);
    expect(members).toMatchObject({ error: 'access_denied', state: 'xyz', iss: provider.url });
    expect(members).not.toHaveProperty('code');
    expect(provider.audited(application.id).at(-1)).toEqual({ action: 'oauth.deny', detail: 'read_user' });
    expect(await provider.services.oauth.authorizationsCount(application.id)).toBe(0);
  });

  test('S29 without the token of this page it is refused, and nothing is granted', async () => {
    const { application } = await provider.register();
    const page = await consent(application);
    const other = hiddenFields(await consent(application));
    const aliceFields = hiddenFields(await consent(application, {}, scene.alice));
    for (const changes of [
      { csrf_token: '' },
      { csrf_token: 'x' },
      { csrf_token: other['csrf_token'] ?? '' },
      { csrf_token: await csrfOf(scene.bob) },
      aliceFields,
    ]) {
      const response = await press(scene.bob, page, 'approve', changes);
      expect(response.status).toBe(403);
      expect(response.headers.get('location')).toBeNull();
      expect(response.headers.get('content-type')).toContain('text/html');
    }
    expect((await press(browserAt(provider), page, 'approve')).status).toBe(403);
    expect((await press(scene.alice, page, 'approve')).status).toBe(403);
    const elsewhere = { ...hiddenFields(page), decision: 'approve' };
    expect((await scene.bob.postForm('/oauth/authorize', elsewhere, { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    expect(await provider.services.oauth.authorizationsCount(application.id)).toBe(0);
    // A refused submission does not use the page up.
    expect((await press(scene.bob, page, 'approve')).status).toBe(303);
  });

  test('S29 S30 counts once', async () => {
    const { application } = await provider.register();
    const page = await consent(application);
    const answers = await Promise.all(Array.from({ length: 10 }, () => press(scene.bob, page, 'approve')));
    expect(answers.filter((answer) => answer.status === 303)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 403)).toHaveLength(9);
    expect((await press(scene.bob, page, 'deny')).status).toBe(403);
  });

  test('S96 opening page after page evicts the oldest pages of the same user', async () => {
    const { application } = await provider.register();
    const others = await consent(application, {}, scene.alice);
    const pages = [];
    for (let opened = 0; opened < 51; opened += 1) pages.push(await consent(application));
    const [first = '', second = '', last = ''] = [pages[0], pages[1], pages.at(-1)];
    expect([
      (await press(scene.bob, first, 'approve')).status,
      (await press(scene.bob, second, 'deny')).status,
    ]).toEqual([403, 303]);
    expect([(await press(scene.bob, last, 'deny')).status, (await press(scene.alice, others, 'deny')).status]).toEqual([
      303, 303,
    ]);
  });

  test('S30 other fields of the form have no effect', async () => {
    const { application, secret } = await provider.register();
    const page = await consent(application);
    const changed = {
      client_id: 'x',
      redirect_uri: 'https://evil.example/',
      scope: 'api',
      state: 'changed',
      response_type: 'token',
      code_challenge: challenge,
    };
    const { url, members } = answerOf(await press(scene.bob, page, 'approve', changed));
    expect(url).toBe(callback);
    expect(members['state']).toBe('xyz');
    expect(await (await exchange(application.clientId, secret, members['code'] ?? '')).json()).toMatchObject({
      scope: 'read_user',
    });
  });

  test('S16 repeated fields are refused', async () => {
    const { application } = await provider.register();
    const { request = '', csrf_token: csrf = '' } = hiddenFields(await consent(application));
    const post = async (body: string) => {
      const cookie = [...scene.bob.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
      return fetch(`${provider.url}/oauth/authorize`, { method: 'POST', body, headers, redirect: 'manual' });
    };
    expect((await post(`request=${request}&request=${request}&csrf_token=${csrf}&decision=approve`)).status).toBe(403);
    expect((await post(`request=${request}&csrf_token=${csrf}&decision=approve&decision=deny`)).status).toBe(400);
    expect((await post(`request=${request}&csrf_token=${csrf}`)).status).toBe(400);
    expect((await post(`request=${request}&csrf_token=${csrf}&decision=approve`)).status).toBe(303);
  });

  test('does not count after the application was removed or changed so that the request would be refused', async () => {
    const changes = [{ redirectUris: ['https://elsewhere.example/cb'] }, { scopes: ['read_api'] }];
    for (const change of changes) {
      const { application } = await provider.register();
      const page = await consent(application);
      await changeApplication(provider.services, application, change, by);
      const response = await press(scene.bob, page, 'approve');
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
    }
    const { application } = await provider.register();
    const page = await consent(application);
    await removeApplication(provider.services, application, by);
    expect((await press(scene.bob, page, 'approve')).status).toBe(400);
  });

  test('S31 does not count in a session that has ended, nor for a blocked user', async () => {
    const { application } = await provider.register();
    const carol = await provider.signedIn('bob');
    const page = await consent(application, {}, carol);
    await carol.postForm('/users/sign_out', { csrf_token: await csrfOf(carol) });
    expect((await press(carol, page, 'approve')).status).toBe(403);

    const again = await provider.signedIn('bob');
    const second = await consent(application, {}, again);
    await setState(provider.services, 'bob', 'blocked');
    expect((await press(again, second, 'approve')).status).toBe(403);
    await setState(provider.services, 'bob', 'active');
    scene.bob = await provider.signedIn('bob');
  });

  test('P15 displaying the page grants nothing', async () => {
    const { application } = await provider.register();
    const before = await provider.services.oauth.authorizationsOf(provider.ids.bob);
    await consent(application);
    expect(await provider.services.oauth.authorizationsOf(provider.ids.bob)).toEqual(before);
    expect(provider.audited(application.id).map(({ action }) => action)).toEqual(['application.create']);
  });
});
