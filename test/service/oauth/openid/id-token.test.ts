import { calculateJwkThumbprint, createRemoteJWKSet, jwtVerify } from 'jose';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { idTokenKey, signingKey } from '../../../../src-main/service/secrets/signing-key.ts';
import { tokenMembers } from '../token-fixture.ts';
import { useOpenId } from './openid-scene.ts';

const scene = useOpenId();
const { issuer, list } = scene;

describe('OpenID Connect', () => {
  async function signIn(
    wanted: readonly string[],
    nonce: string | null = 'n-1',
  ): Promise<Readonly<Record<string, unknown>>> {
    return (
      await issuer.tokenRequest(issuer.exchange(scene.web, await issuer.code(scene.web, { scopes: wanted, nonce })))
    ).body;
  }

  test('an id_token matches the published key, the client, the nonce and the access token', async () => {
    const answer = await signIn(['openid', 'profile', 'email']);
    expect(Object.keys(answer)).toEqual([...tokenMembers, 'id_token']);
    const keys = createRemoteJWKSet(new URL(String(scene.metadata['jwks_uri'])));
    const { payload, protectedHeader } = await jwtVerify(String(answer['id_token']), keys, {
      issuer: String(scene.metadata['issuer']),
      audience: scene.web.application.clientId,
      algorithms: list('id_token_signing_alg_values_supported') as string[],
    });
    const atHash = createHash('sha256')
      .update(String(answer['access_token']))
      .digest()
      .subarray(0, 16)
      .toString('base64url');
    expect(payload).toMatchObject({
      sub: String(issuer.ids.alice),
      nonce: 'n-1',
      at_hash: atHash,
      name: 'alice of the lab',
      nickname: 'alice',
    });
    expect(Number(payload['auth_time'])).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) - 59);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(7200);
    for (const claim of Object.keys(payload)) expect(list('claims_supported')).toContain(claim);

    const { body } = await issuer.get('/oauth/discovery/keys');
    const [key] = body['keys'] as readonly Record<string, string>[];
    expect(Object.keys(key ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(protectedHeader.kid).toBe(key?.['kid']);
    expect(await calculateJwkThumbprint(key ?? {})).toBe(key?.['kid']);
  });

  test('without the scope openid there is no id_token, and without a nonce in the request it has none', async () => {
    expect((await signIn(['read_user']))['id_token']).toBeUndefined();
    const payload = JSON.parse(
      Buffer.from(String((await signIn(['openid'], null))['id_token']).split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(payload).not.toHaveProperty('nonce');
    expect(payload).not.toHaveProperty('name');
    expect(payload).not.toHaveProperty('email');
    expect(payload).toHaveProperty('preferred_username', 'alice');
  });

  test('the key stays, and is stored sealed', async () => {
    const { settings, secrets, log } = issuer.services;
    const again = await signingKey({ settings, secrets, log }, idTokenKey)();
    expect(again.kid).toBe((await issuer.services.signingKey()).kid);
    const stored = Buffer.from((await settings.get('oauth.signing_key')) ?? '', 'base64').toString('latin1');
    expect(stored).not.toContain('PRIVATE');
    expect(() => secrets.open('totp:1', Buffer.from(stored, 'latin1'))).toThrow();
  });

  test('userinfo returns the claims of the scopes, with the projects as groups', async () => {
    await issuer.services.users.create({
      username: 'carol',
      name: 'Carol',
      email: 'carol@lab.example',
      passwordHash: null,
      isAdmin: false,
    });
    const carol = await issuer.services.users.byUsername('carol');
    const project = await issuer.services.projects.create('lab/optics', 'Optics');
    await issuer.services.projects.setMember(project?.id ?? 0, carol?.id ?? 0, 'developer');
    const tell = async (wanted: readonly string[], method = 'GET') => {
      const { body } = await issuer.tokenRequest(
        issuer.exchange(scene.web, await issuer.code(scene.web, { scopes: wanted, userId: carol?.id ?? 0 })),
      );
      const answer = await fetch(`${issuer.url}/oauth/userinfo`, {
        method,
        headers: { authorization: `Bearer ${String(body['access_token'])}` },
      });
      return [answer.status, await answer.json()];
    };
    const named = { sub: String(carol?.id), nickname: 'carol', preferred_username: 'carol', groups: ['lab/optics'] };
    expect(await tell(['openid'])).toEqual([200, named]);
    expect(await tell(['openid', 'profile'], 'POST')).toEqual([200, { ...named, name: 'Carol' }]);
    expect(await tell(['openid', 'email'])).toEqual([
      200,
      { ...named, email: 'carol@lab.example', email_verified: true },
    ]);
    expect(await tell(['profile'])).toMatchObject([403, { error: 'insufficient_scope', scope: 'api openid' }]);
    expect((await issuer.get('/oauth/userinfo')).status).toBe(401);
  });

  test('B2: userinfo accepts the token in a form, and in no other body', async () => {
    const { access } = await issuer.pair(scene.web, { scopes: ['openid'], userId: issuer.ids.bob });
    const post = async (body: string, type: string, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fetch(`${issuer.url}/oauth/userinfo`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, ...headers },
      });
      return [
        answer.status,
        ((await answer.json()) as Readonly<Record<string, unknown>>)[answer.ok ? 'nickname' : 'error'],
      ];
    };
    const form = 'application/x-www-form-urlencoded';
    expect(await post(`access_token=${access}`, form)).toEqual([200, 'bob']);
    expect(await post(`access_token=${access}`, `${form}; charset=UTF-8`)).toEqual([200, 'bob']);
    expect(await post(`access_token=${access}`, form, { authorization: `Bearer ${access}` })).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await post(`access_token=${access}&access_token=${access}`, form)).toEqual([400, 'invalid_request']);
    expect(await post('access_token=0', form)).toEqual([401, 'invalid_token']);
    expect((await post(JSON.stringify({ access_token: access }), 'application/json'))[0]).toBe(401);
    expect((await fetch(`${issuer.url}/oauth/userinfo?access_token=${access}`, { method: 'POST' })).status).toBe(401);
  });
});
