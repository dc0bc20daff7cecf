import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerApplication } from '../../../src-main/service/oauth/applications/register-application.ts';
import { password, secondFactor } from '../accounts/second-factor-browser.ts';
import { softKey, type SoftKey } from '../accounts/second-factors/soft-key.ts';
import { newTotpKey } from '../../../src-main/service/accounts/second-factors/totp.ts';
import { csrfOf, hiddenFields, type Browser } from '../browser.ts';
import { addUser } from '../people.ts';
import { oathtool } from '../accounts/second-factor-browser.ts';
import { answerOf, authorizePath, callback } from '../oauth/authorize-fixture.ts';
import { baseUrl, startReplicas, startRestarted, type Continued } from './continued.ts';

const rpId = new URL(baseUrl).hostname;
const session = '__Host-benchport_session';

describe.each([
  ['another replica', startReplicas],
  ['a restarted service', startRestarted],
])('%s goes on with', (_name, start) => {
  let service: Continued;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(async () => service.end());

  let count = 0;
  async function somebody(): Promise<{ readonly id: number; readonly username: string }> {
    count += 1;
    return addUser(service.services, `user${count}`, { password });
  }

  async function signedIn(username: string): Promise<Browser> {
    const browser = service.browser();
    expect((await browser.signIn(username, password)).status).toBe(303);
    expect(browser.cookies.has(session)).toBe(true);
    return browser;
  }

  /** An authenticator as it is after its first code, whose time is long past. */
  async function addTotp(userId: number): Promise<string> {
    const key = newTotpKey();
    const sealed = service.services.secrets.seal(`totp:${userId}`, Buffer.from(key));
    await service.services.totpKeys.begin(userId, sealed, Date.now());
    await service.services.totpKeys.confirm(userId, 1, Date.now());
    return key;
  }

  async function addKey(browser: Browser): Promise<SoftKey> {
    const key = softKey();
    const headers = { 'x-csrf-token': await csrfOf(browser) };
    const begun = await browser.send('POST', '/api/v4/user/webauthn/options', {}, headers);
    const options = (await begun.json()) as { readonly challenge: string };
    await service.goOn();
    const body = { name: 'Blue key', response: key.register(options, baseUrl, rpId) };
    const answer = await browser.send('POST', '/api/v4/user/webauthn', body, headers);
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining('Blue key')]);
    expect((await browser.send('POST', '/api/v4/user/webauthn', body, headers)).status).toBe(400);
    return key;
  }

  test('a sign-in whose form is open', async () => {
    const { username } = await somebody();
    const browser = service.browser();
    const form = hiddenFields(await (await browser.get('/users/sign_in')).text());
    await service.goOn();
    const answer = await browser.postForm('/users/sign_in', { ...form, username, password });
    expect(answer.headers.get('location')).toBe('/ui/');
    expect(browser.cookies.has(session)).toBe(true);
  });

  test('a sign-in between password and authenticator', async () => {
    const { id, username } = await somebody();
    const key = await addTotp(id);
    const browser = service.browser();
    expect((await browser.signIn(username, password)).headers.get('location')).toBe(secondFactor);
    await service.goOn();
    const form = hiddenFields(await (await browser.get(secondFactor)).text());
    await service.goOn();
    const pending = browser.cookies.get('__Host-benchport_pending') ?? '';
    const answer = await browser.postForm(secondFactor, { ...form, code: oathtool(key) });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/ui/']);
    expect(browser.cookies.has(session)).toBe(true);
    await service.goOn();
    browser.setCookie('__Host-benchport_pending', pending);
    expect((await browser.get(secondFactor)).headers.get('location')).toBe('/users/sign_in');
  });

  test('a sign-in whose password is changed meanwhile, by refusing it', async () => {
    const { id, username } = await somebody();
    const key = await addTotp(id);
    const browser = service.browser();
    await browser.signIn(username, password);
    const form = hiddenFields(await (await browser.get(secondFactor)).text());
    await service.services.users.setPassword(id, await service.services.passwords.hash('quite another one'));
    await service.goOn();
    const answer = await browser.postForm(secondFactor, { ...form, code: oathtool(key) });
    expect(answer.headers.get('location')).toBe('/users/sign_in');
    expect(browser.cookies.has(session)).toBe(false);
  });

  test('the registration of a security key, and a sign-in with it', async () => {
    const { username } = await somebody();
    const key = await addKey(await signedIn(username));
    const browser = service.browser();
    await browser.signIn(username, password);
    const page = await (await browser.get(secondFactor)).text();
    const options = JSON.parse(
      (/data-options="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ) as { readonly challenge: string };
    await service.goOn();
    const response = JSON.stringify(key.use(options, baseUrl, rpId, 1));
    const { form_token = '' } = hiddenFields(page);
    const answer = await browser.postForm(secondFactor, { form_token, response });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/ui/']);
  });

  test('a consent page, once', async () => {
    const { id, username } = await somebody();
    const { application, secret } = await registerApplication(
      service.services,
      {
        ownerId: id,
        name: 'Plotter',
        redirectUris: [callback],
        scopes: ['read_user'],
        confidential: true,
        trusted: false,
        legacyImplicit: false,
        deviceGrant: false,
      },
      { userId: id, address: null },
    );
    const browser = await signedIn(username);
    const page = await (
      await browser.get(authorizePath({ client_id: application.clientId, state: 'a "state" ü' }))
    ).text();
    await service.goOn();
    const form = { ...hiddenFields(page), decision: 'approve' };
    const answer = await browser.postForm('/oauth/authorize', form);
    const { url, members } = answerOf(answer);
    expect([answer.status, url, members['state']]).toEqual([303, callback, 'a "state" ü']);
    await service.goOn();
    expect((await browser.postForm('/oauth/authorize', form)).status).toBe(403);
    const token = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: members['code'] ?? '',
        redirect_uri: callback,
        client_id: application.clientId,
        client_secret: secret ?? '',
      }),
    });
    expect(await token.json()).toMatchObject({ token_type: 'bearer', scope: 'read_user' });
  });

  test('the confirmation of a device, once', async () => {
    const { id, username } = await somebody();
    const { application } = await registerApplication(
      service.services,
      {
        ownerId: id,
        name: 'Sensor',
        redirectUris: [],
        scopes: ['read_api'],
        confidential: false,
        trusted: false,
        legacyImplicit: false,
        deviceGrant: true,
      },
      { userId: id, address: null },
    );
    const post = async (at: string, form: Readonly<Record<string, string>>) =>
      (await (await fetch(service.url + at, { method: 'POST', body: new URLSearchParams(form) })).json()) as Readonly<
        Record<string, string>
      >;
    const client_id = application.clientId;
    const { device_code = '', user_code = '' } = await post('/oauth/authorize_device', {
      client_id,
      scope: 'read_api',
    });
    const browser = await signedIn(username);
    const code = hiddenFields(await (await browser.get('/oauth/device')).text());
    await service.goOn();
    const page = await (await browser.postForm('/oauth/device', { ...code, user_code })).text();
    await service.goOn();
    const form = { ...hiddenFields(page), decision: 'approve' };
    expect(await (await browser.postForm('/oauth/device', form)).text()).toContain('Device connected');
    await service.goOn();
    expect((await browser.postForm('/oauth/device', form)).status).toBe(403);
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    expect(await post('/oauth/token', { grant_type, client_id, device_code })).toMatchObject({ scope: 'read_api' });
  });
});

describe('the setup code', () => {
  test.each([
    ['of two replicas', startReplicas],
    ['of a restarted service', startRestarted],
  ])('%s is one, and none once an account exists', async (_name, start) => {
    const service = await start();
    try {
      const code = service.setupCode;
      const post = async (username: string) =>
        service.browser().send('POST', `/api/v4/setup?code=${code}`, { username, name: username, password });
      await service.goOn();
      expect(service.setupCode).toBe(code);
      expect((await post('alice')).status).toBe(201);
      expect((await post('bob')).status).toBe(409);
      await service.goOn();
      expect((await post('bob')).status).toBe(409);
      expect(await service.services.users.all()).toHaveLength(1);
    } finally {
      await service.end();
    }
  });
});
