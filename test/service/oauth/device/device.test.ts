import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newUserCode, readUserCode } from '../../../../src-main/service/oauth/device/device-user-code.ts';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { hiddenFields, type Browser } from '../../browser.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { setState } from '../../people.ts';
import { startIssuer, type Answered, tokenMembers } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let sensor: RegisteredApplication;
let browser: Browser;
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

beforeAll(async () => {
  sensor = await issuer.register({
    name: 'Bench <b>sensor</b>',
    confidential: false,
    redirectUris: [],
    deviceGrant: true,
    scopes: ['read_api', 'openid'],
  });
});
beforeEach(async () => {
  // Typed codes are limited for each user, so each test has its own.
  const username = `user${Math.floor(performance.now() * 1000)}`;
  await issuer.withPassword(username);
  browser = await issuer.signedIn(username);
});

const client = () => ({ client_id: sensor.application.clientId });
const begin = async (form: Readonly<Record<string, string>> = { scope: 'read_api' }) =>
  (await issuer.post('/oauth/authorize_device', { ...client(), ...form })).body;
const poll = (device_code: unknown, form: Readonly<Record<string, string>> = {}) =>
  issuer.tokenRequest({ grant_type, ...client(), device_code: String(device_code), ...form });
const refusal = (answer: Answered) => [answer.status, answer.body['error']];

/** Submits a user code. */
async function type(code: unknown, who = browser): Promise<Response> {
  const form = hiddenFields(await (await who.get('/oauth/device')).text());
  return who.postForm('/oauth/device', { ...form, user_code: String(code) });
}

async function decide(page: string, decision: string, who = browser): Promise<Response> {
  return who.postForm('/oauth/device', { ...hiddenFields(page), decision });
}

describe('a device', () => {
  test('S104 gets a code of eight letters without vowels, for 300 s', async () => {
    const answer = await begin();
    expect(Object.keys(answer)).toEqual([
      'device_code',
      'user_code',
      'verification_uri',
      'verification_uri_complete',
      'expires_in',
      'interval',
    ]);
    expect(answer).toMatchObject({
      verification_uri: `${issuer.url}/oauth/device`,
      verification_uri_complete: `${issuer.url}/oauth/device?user_code=${String(answer['user_code'])}`,
      expires_in: 300,
      interval: 5,
    });
    expect(answer['device_code']).toMatch(/^[0-9a-f]{64}$/);
    for (const code of [answer['user_code'], ...Array.from({ length: 200 }, newUserCode)])
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect([' wdjb mjht', 'WDJBMJHT', 'w-d-j-b_mj.ht'].map(readUserCode)).toEqual(Array(3).fill('WDJB-MJHT'));
    expect(['', 'WDJB-MJH', 'WDJB-MJHA', 'WDJB-MJHTT', '12345678', 'wdjb-mjhß'].map(readUserCode)).toEqual(
      Array(6).fill(null),
    );
  });

  test('waits for its user, then gets a token once', async () => {
    const { device_code, user_code } = await begin();
    expect(refusal(await poll(device_code))).toEqual([400, 'authorization_pending']);
    const page = await type(user_code);
    expect(page.status).toBe(200);
    const done = await decide(await page.text(), 'approve');
    expect(done.status).toBe(200);
    expect(await done.text()).toContain('Device connected');
    const answer = await poll(device_code);
    expect(Object.keys(answer.body)).toEqual(tokenMembers);
    expect(answer.body).toMatchObject({ scope: 'read_api', expires_in: 7200 });
    expect(await issuer.userStatus(String(answer.body['access_token']))).toBe(200);
    expect(refusal(await poll(device_code))).toEqual([400, 'invalid_grant']);
    expect((await issuer.refresh(sensor, String(answer.body['refresh_token']))).status).toBe(200);
    expect(issuer.audited(sensor.application.id)).toContainEqual({
      action: 'oauth.approve',
      detail: 'asked, device, read_api',
    });
  });

  test('S104 of 50 polls at once one gets the token', async () => {
    const { device_code, user_code } = await begin();
    await decide(await (await type(user_code)).text(), 'approve');
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(device_code)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  });

  test('gets an id_token with the scope openid', async () => {
    const { device_code, user_code } = await begin({ scope: 'openid' });
    await decide(await (await type(user_code)).text(), 'approve');
    expect((await poll(device_code)).body['id_token']).toMatch(/^ey/);
  });

  test('is told when its user denies', async () => {
    const { device_code, user_code } = await begin();
    expect(await (await decide(await (await type(user_code)).text(), 'deny')).text()).toContain('Access denied');
    expect(refusal(await poll(device_code))).toEqual([400, 'access_denied']);
  });

  test('S104 that polls too fast is told to slow down, five seconds more each time', async () => {
    const { device_code } = await begin();
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    try {
      const at = async (seconds: number) => {
        vi.setSystemTime(now + seconds * 1000);
        return (await poll(device_code)).body['error'];
      };
      expect(await at(0)).toBe('authorization_pending');
      expect(await at(5)).toBe('authorization_pending');
      expect(await at(8)).toBe('slow_down');
      expect(await at(14)).toBe('slow_down');
      expect(await at(30)).toBe('authorization_pending');
      expect(await at(44)).toBe('slow_down');
    } finally {
      vi.useRealTimers();
    }
  });

  test('S104 has 300 s', async () => {
    const { device_code, user_code } = await begin();
    const beside = openBeside(issuer);
    beside
      .prepare('UPDATE oauth_device_codes SET expires_at = ? WHERE id = (SELECT max(id) FROM oauth_device_codes)')
      .run(Date.now());
    beside.close();
    expect(refusal(await poll(device_code))).toEqual([400, 'expired_token']);
    expect((await type(user_code)).status).toBe(422);
  });

  test('needs the device grant, its own device code, and scopes of its application', async () => {
    const plain = await issuer.register();
    const form = { client_id: plain.application.clientId, client_secret: plain.secret ?? '' };
    expect(refusal(await issuer.post('/oauth/authorize_device', form))).toEqual([400, 'unauthorized_client']);
    expect(refusal(await issuer.post('/oauth/authorize_device', {}))).toEqual([401, 'invalid_client']);
    expect(refusal(await issuer.post('/oauth/authorize_device', { ...client(), scope: 'api' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    const other = await issuer.register({ name: 'Other', confidential: true, deviceGrant: true });
    expect(refusal(await issuer.post('/oauth/authorize_device', { client_id: other.application.clientId }))).toEqual([
      401,
      'invalid_client',
    ]);
    const { device_code } = await begin();
    expect(
      refusal(await poll(device_code, { client_id: other.application.clientId, client_secret: other.secret ?? '' })),
    ).toEqual([400, 'invalid_grant']);
    expect(refusal(await poll('f'.repeat(64)))).toEqual([400, 'invalid_grant']);
    expect(refusal(await issuer.tokenRequest({ grant_type, ...client() }))).toEqual([400, 'invalid_request']);
  });

  test('gets nothing when its user is blocked, or revokes it, before the next poll', async () => {
    const blocked = await begin();
    await issuer.withPassword('shortlived');
    const theirs = await issuer.signedIn('shortlived');
    await decide(await (await type(blocked['user_code'], theirs)).text(), 'approve', theirs);
    await setState(issuer.services, 'shortlived', 'blocked');
    expect(refusal(await poll(blocked['device_code']))).toEqual([400, 'invalid_grant']);

    const takenBack = await begin();
    const bob = await issuer.signedIn('bob');
    await decide(await (await type(takenBack['user_code'], bob)).text(), 'approve', bob);
    await issuer.services.oauth.revokeOfUserAndApplication(issuer.ids.bob, sensor.application.id);
    expect(refusal(await poll(takenBack['device_code']))).toEqual([400, 'invalid_grant']);
  });
});

describe('the page', () => {
  test('sends users who are not signed in to the sign-in first, and back with the code', async () => {
    const answer = await fetch(`${issuer.url}/oauth/device?user_code=WDJB-MJHT`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `/users/sign_in?return_to=${encodeURIComponent('/oauth/device?user_code=WDJB-MJHT')}`,
    );
    expect(await (await browser.get('/oauth/device?user_code=WDJB-MJHT')).text()).toContain('value="WDJB-MJHT"');
  });

  test('S105 names the application and warns of codes from others; its name is inert', async () => {
    const { user_code } = await begin();
    const answer = await type(String(user_code).toLowerCase());
    const page = (await answer.text()).replaceAll(/\s+/g, ' ');
    expect(page).toContain('Bench &lt;b&gt;sensor&lt;/b&gt;');
    expect(page).not.toContain('<b>sensor');
    expect(page).toContain('If somebody sent you this code');
    expect(page).toContain(String(user_code));
    expect(page).toContain('Read everything its user may read');
    expect(page).toContain('alice');
    expect(page).not.toContain('<script');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('refuses forms of other pages and of other sessions, and a second decision', async () => {
    const { device_code, user_code } = await begin();
    expect((await browser.postForm('/oauth/device', { user_code: String(user_code) })).status).toBe(403);
    const form = hiddenFields(await (await browser.get('/oauth/device')).text());
    expect(
      (
        await browser.postForm(
          '/oauth/device',
          { ...form, user_code: String(user_code) },
          { 'sec-fetch-site': 'cross-site' },
        )
      ).status,
    ).toBe(403);
    const page = await (await type(user_code)).text();
    const bob = await issuer.signedIn('bob');
    expect((await decide(page, 'approve', bob)).status).toBe(403);
    expect(
      (await browser.postForm('/oauth/device', { ...hiddenFields(page), csrf_token: 'x', decision: 'approve' })).status,
    ).toBe(403);
    expect(refusal(await poll(device_code))).toEqual([400, 'authorization_pending']);
    expect((await decide(page, 'deny')).status).toBe(200);
    expect((await decide(page, 'approve')).status).toBe(403);
    expect(refusal(await poll(device_code))).toEqual([400, 'access_denied']);
  });

  test('accepts no decision other than yes or no', async () => {
    const { device_code, user_code } = await begin();
    expect((await decide(await (await type(user_code)).text(), 'maybe')).status).toBe(400);
    expect(refusal(await poll(device_code))).toEqual([400, 'authorization_pending']);
  });

  test('S104 limits guesses of codes', async () => {
    const statuses = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await type('BCDF-GHJK')).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422));
    const last = await type('BCDF-GHJK');
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.text()).toContain('Too many attempts');
  });
});
