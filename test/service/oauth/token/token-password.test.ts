import { beforeAll, describe, expect, test } from 'vitest';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { setState } from '../../people.ts';
import { basic, password, startIssuer, type Answered, tokenMembers } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;

beforeAll(async () => {
  web = await issuer.register();
});

const form = (username: string, more: Readonly<Record<string, string>> = {}) => ({
  grant_type: 'password',
  username,
  password,
  ...more,
});

function refusal(answer: Answered): unknown {
  return [answer.status, answer.body['error']];
}

describe('the password grant', () => {
  test('S65 without an application gives the scope api and no refresh token', async () => {
    const answer = await issuer.tokenRequest(form('alice'));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['access_token', 'token_type', 'expires_in', 'scope']);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'api' });
    expect(await issuer.userStatus(String(answer.body['access_token']))).toBe(200);
  });

  test('with an application, by Basic or in the body, gives a pair', async () => {
    for (const answer of [
      await issuer.tokenRequest(form('alice'), basic(web.application.clientId, web.secret ?? '')),
      await issuer.tokenRequest(
        form('alice', { client_id: web.application.clientId, client_secret: web.secret ?? '' }),
      ),
    ]) {
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(tokenMembers);
      expect((await issuer.refresh(web, String(answer.body['refresh_token']))).status).toBe(200);
    }
    expect(refusal(await issuer.tokenRequest(form('alice'), basic(web.application.clientId, 'wrong')))).toEqual([
      401,
      'invalid_client',
    ]);
    expect(refusal(await issuer.tokenRequest(form('alice', { client_id: web.application.clientId })))).toEqual([
      401,
      'invalid_client',
    ]);
  });

  test('gives the requested scopes that the application has', async () => {
    expect((await issuer.tokenRequest(form('alice', { scope: 'read_user' }))).body['scope']).toBe('read_user');
    for (const scope of ['sudo', 'api,read_user', 'self_rotate'])
      expect(refusal(await issuer.tokenRequest(form('alice', { scope })))).toEqual([400, 'invalid_scope']);
    const narrow = await issuer.register({ scopes: ['read_user'] });
    const client = basic(narrow.application.clientId, narrow.secret ?? '');
    expect(refusal(await issuer.tokenRequest(form('alice', { scope: 'read_api' }), client))).toEqual([
      400,
      'invalid_scope',
    ]);
    expect(refusal(await issuer.tokenRequest(form('alice'), client))).toEqual([400, 'invalid_scope']);
    expect((await issuer.tokenRequest(form('alice', { scope: 'read_user' }), client)).body['scope']).toBe('read_user');
  });

  test('S63 refuses a wrong password, an unknown and a blocked user and one with a second factor with the same text', async () => {
    await issuer.withPassword('blocked');
    await setState(issuer.services, 'blocked', 'blocked');
    await secondFactor(await issuer.withPassword('careful'));
    const answers = [
      await issuer.tokenRequest({ ...form('bob'), password: 'not the password' }),
      await issuer.tokenRequest(form('nobody')),
      await issuer.tokenRequest(form('blocked')),
      await issuer.tokenRequest(form('careful')),
      await issuer.tokenRequest({ ...form('bob'), password: 'x'.repeat(200) }),
      await issuer.tokenRequest({ ...form('bob'), username: 'x'.repeat(2000) }),
    ];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(refusal(answers[0] as Answered)).toEqual([400, 'invalid_grant']);
    expect(answers[0]?.text).toContain('"error":"invalid_grant"');
  });

  test('S63 takes equally long for all of them', async () => {
    await secondFactor(await issuer.withPassword('cautious'));
    const time = async (wish: Readonly<Record<string, string>>) => {
      const times = [];
      for (let i = 0; i < 5; i += 1) {
        // Processor time is not affected by other load; the service runs in this process.
        const begin = process.cpuUsage();
        await issuer.tokenRequest(wish);
        const { user, system } = process.cpuUsage(begin);
        times.push(user + system);
      }
      return Math.min(...times);
    };
    const known = await time({ ...form('bob'), password: 'not the password' });
    for (const wish of [
      form('nobody at all'),
      form('cautious'),
      { ...form('nobody here'), password: 'y'.repeat(500) },
    ]) {
      const other = await time(wish);
      expect(other).toBeGreaterThan(known / 3);
      expect(other).toBeLessThan(known * 3);
    }
  });

  test('S95 counts towards the lock of an account, whose right password is then refused', async () => {
    await issuer.withPassword('target');
    for (let i = 0; i < 10; i += 1) await issuer.tokenRequest({ ...form('target'), password: `guess ${i}` });
    expect(refusal(await issuer.tokenRequest(form('target')))).toEqual([400, 'invalid_grant']);
    const beside = openBeside(issuer);
    beside.prepare('UPDATE sign_in_failures SET locked_until = 1').run();
    beside.close();
    expect((await issuer.tokenRequest(form('target'))).status).toBe(200);
  });

  test('S96 limits guesses at one account from one address, with Retry-After, and affects nobody else', async () => {
    await issuer.withPassword('often');
    let answer = await issuer.tokenRequest({ ...form('often'), password: 'wrong' });
    for (let i = 0; i < 25 && answer.status !== 429; i += 1)
      answer = await issuer.tokenRequest({ ...form('often'), password: 'wrong' });
    expect(refusal(answer)).toEqual([429, 'temporarily_unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await issuer.tokenRequest(form('alice'))).status).toBe(200);
  });

  test('S64 can be switched off; then it is unsupported, and the metadata agree', async () => {
    const bearer = async (userId: number) => ({ authorization: `Bearer ${await issuer.token(userId, ['api'])}` });
    const [admin, bob] = [await bearer(issuer.ids.alice), await bearer(issuer.ids.bob)];
    const settings = (method: string, headers: Readonly<Record<string, string>>, body?: object) =>
      fetch(`${issuer.url}/api/v4/application/settings`, {
        method,
        headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const grants = async () =>
      (await issuer.get('/.well-known/oauth-authorization-server')).body['grant_types_supported'];
    expect(await (await settings('GET', admin)).json()).toEqual({ password_grant: true, development_redirects: false });
    expect(await grants()).toContain('password');
    expect(await (await settings('PUT', admin, { password_grant: false })).json()).toEqual({
      password_grant: false,
      development_redirects: false,
    });
    expect(refusal(await issuer.tokenRequest(form('alice')))).toEqual([400, 'unsupported_grant_type']);
    expect(await grants()).not.toContain('password');

    expect((await settings('GET', bob)).status).toBe(403);
    expect((await settings('PUT', bob, { password_grant: true })).status).toBe(403);
    expect((await settings('PUT', {}, { password_grant: true })).status).toBe(401);
    expect((await settings('PUT', admin, { password_grant: 'yes' })).status).toBe(400);
    expect((await settings('PUT', admin, { password_grant: true })).status).toBe(200);
    expect((await issuer.tokenRequest(form('alice'))).status).toBe(200);
  });
});

/** An authenticator that is confirmed. */
async function secondFactor(userId: number): Promise<void> {
  const beside = openBeside(issuer);
  beside
    .prepare("INSERT INTO totp_keys (user_id, sealed_key, created_at, confirmed_at) VALUES (?, x'00', 1, 1)")
    .run(userId);
  beside.close();
}
