import { calculateJwkThumbprint, createRemoteJWKSet, jwtVerify } from 'jose';
import { createHash } from 'node:crypto';
import http from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { idTokenKey, signingKey } from '../../../../src-main/service/secrets/signing-key.ts';
import { authorizePath } from '../authorize-fixture.ts';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { basic, password, startIssuer, tokenMembers } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;
let metadata: Readonly<Record<string, unknown>>;
const scopes = [
  'openid',
  'profile',
  'email',
  'api',
  'read_api',
  'read_user',
  'read_measurement',
  'write_measurement',
] as const;

beforeAll(async () => {
  web = await issuer.register({ scopes: [...scopes], deviceGrant: true });
  metadata = (await issuer.get('/.well-known/openid-configuration')).body;
});

const list = (name: string) => metadata[name] as readonly string[];
const address = (name: string) => String(metadata[name]).slice(issuer.url.length);

describe('S85 the metadata match the behaviour', () => {
  test('both documents are equal, at the addresses that they contain', async () => {
    const server = await issuer.get('/.well-known/oauth-authorization-server');
    expect(server.headers.get('content-type')).toContain('application/json');
    expect(metadata).toMatchObject(server.body);
    expect(metadata['issuer']).toBe(issuer.url);
    for (const name of Object.keys(metadata).filter((key) => key.endsWith('_endpoint') || key === 'jwks_uri')) {
      const answer = await fetch(String(metadata[name]), { method: 'OPTIONS' });
      expect([name, answer.status]).toEqual([name, 204]);
    }
    expect((await fetch(`${issuer.url}/.well-known/openid-configuration`, { method: 'HEAD' })).status).toBe(200);
  });

  test('every listed grant type works, and no other', async () => {
    expect(list('grant_types_supported')).toEqual([
      'authorization_code',
      'password',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ]);
    for (const grant_type of list('grant_types_supported')) {
      const { status, body } = await issuer.tokenRequest(
        { grant_type },
        basic(web.application.clientId, web.secret ?? ''),
      );
      expect([grant_type, status, body['error']]).toEqual([grant_type, 400, 'invalid_request']);
    }
    for (const grant_type of [
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      '__proto__',
      'constructor',
    ]) {
      expect((await issuer.tokenRequest({ grant_type })).body['error']).toBe('unsupported_grant_type');
    }
  });

  test('every listed authentication method works', async () => {
    const publicOne = await issuer.register({ name: 'Desktop', confidential: false });
    const verifier = 'v'.repeat(43);
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    const ways: Readonly<Record<string, () => Promise<number>>> = {
      client_secret_basic: async () => {
        const { client_id: _id, client_secret: _secret, ...form } = issuer.exchange(web, await issuer.code(web));
        return (await issuer.tokenRequest(form, basic(web.application.clientId, web.secret ?? ''))).status;
      },
      client_secret_post: async () => (await issuer.tokenRequest(issuer.exchange(web, await issuer.code(web)))).status,
      none: async () =>
        (
          await issuer.tokenRequest(
            issuer.exchange(publicOne, await issuer.code(publicOne, { codeChallenge, scopes: ['read_user'] }), {
              code_verifier: verifier,
            }),
          )
        ).status,
    };
    expect(list('token_endpoint_auth_methods_supported').toSorted()).toEqual(Object.keys(ways).toSorted());
    for (const [name, way] of Object.entries(ways)) expect([name, await way()]).toEqual([name, 200]);
    expect(list('introspection_endpoint_auth_methods_supported')).toEqual([
      'client_secret_basic',
      'client_secret_post',
    ]);
    expect(list('revocation_endpoint_auth_methods_supported')).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'none',
    ]);
  });

  test('every listed scope can be granted, and no other', async () => {
    expect(list('scopes_supported').toSorted()).toEqual([...scopes].toSorted());
    const answer = await issuer.tokenRequest({
      grant_type: 'password',
      username: 'alice',
      password,
      scope: list('scopes_supported').join(' '),
    });
    expect(answer.body['scope']).toBe(list('scopes_supported').join(' '));
  });

  test('response types, modes, prompts and challenge methods are those of the authorization endpoint', async () => {
    const browser = await issuer.signedIn('bob');
    const client_id = web.application.clientId;
    const errorOf = async (parameters: Readonly<Record<string, string>>) => {
      const answer = await browser.get(authorizePath({ client_id, ...parameters }));
      const location = new URL(answer.headers.get('location') ?? `${issuer.url}/?${answer.status}`);
      return (
        location.searchParams.get('error') ?? new URLSearchParams(location.hash.slice(1)).get('error') ?? answer.status
      );
    };
    for (const response_type of list('response_types_supported')) expect(await errorOf({ response_type })).toBe(200);
    expect(await errorOf({ response_type: 'code token' })).toBe('unsupported_response_type');
    for (const response_mode of list('response_modes_supported')) expect(await errorOf({ response_mode })).toBe(200);
    expect(await errorOf({ response_mode: 'jwt' })).toBe('invalid_request');
    for (const code_challenge_method of list('code_challenge_methods_supported')) {
      expect(await errorOf({ code_challenge_method, code_challenge: 'a'.repeat(43) })).toBe(200);
    }
    expect(await errorOf({ code_challenge_method: 'plain', code_challenge: 'a'.repeat(43) })).toBe('invalid_request');
    expect(await errorOf({ request: 'x' })).toBe('request_not_supported');
    expect(await errorOf({ request_uri: 'https://x.example/' })).toBe('request_uri_not_supported');
    expect(await errorOf({ prompt: 'none' })).toBe('consent_required');
    const denied = await browser.get(authorizePath({ client_id, response_type: 'x' }));
    expect(new URL(denied.headers.get('location') ?? '').searchParams.get('iss')).toBe(metadata['issuer']);
  });

  test('the endpoint of the device grant answers', async () => {
    const form = { client_id: web.application.clientId, client_secret: web.secret ?? '', scope: 'read_user' };
    expect((await issuer.post(address('device_authorization_endpoint'), form)).status).toBe(200);
  });
});

test('S86 the issuer is the base URL, whatever the Host header', async () => {
  const port = new URL(issuer.url).port;
  const ask = (host: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      http
        .get(
          { host: '127.0.0.1', port, path: '/.well-known/oauth-authorization-server', headers: { host } },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
          },
        )
        .on('error', reject);
    });
  const local = await ask(`localhost:${port}`);
  expect(local.status).toBe(200);
  expect((JSON.parse(local.text) as { issuer: string }).issuer).toBe(issuer.url);
  expect((await ask('evil.example')).status).toBe(421);
});

describe('OpenID Connect', () => {
  async function signIn(
    wanted: readonly string[],
    nonce: string | null = 'n-1',
  ): Promise<Readonly<Record<string, unknown>>> {
    return (await issuer.tokenRequest(issuer.exchange(web, await issuer.code(web, { scopes: wanted, nonce })))).body;
  }

  test('an id_token matches the published key, the client, the nonce and the access token', async () => {
    const answer = await signIn(['openid', 'profile', 'email']);
    expect(Object.keys(answer)).toEqual([...tokenMembers, 'id_token']);
    const keys = createRemoteJWKSet(new URL(String(metadata['jwks_uri'])));
    const { payload, protectedHeader } = await jwtVerify(String(answer['id_token']), keys, {
      issuer: String(metadata['issuer']),
      audience: web.application.clientId,
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
        issuer.exchange(web, await issuer.code(web, { scopes: wanted, userId: carol?.id ?? 0 })),
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
    const { access } = await issuer.pair(web, { scopes: ['openid'], userId: issuer.ids.bob });
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
