import { createHash } from 'node:crypto';
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { authorizePath } from '../authorize-fixture.ts';
import { basic, password } from '../token-fixture.ts';
import { scopes, useOpenId } from './openid-scene.ts';

const scene = useOpenId();
const { issuer, list } = scene;

const address = (name: string) => String(scene.metadata[name]).slice(issuer.url.length);

describe('S85 the metadata match the behaviour', () => {
  test('both documents are equal, at the addresses that they contain', async () => {
    const server = await issuer.get('/.well-known/oauth-authorization-server');
    expect(server.headers.get('content-type')).toContain('application/json');
    expect(scene.metadata).toMatchObject(server.body);
    expect(scene.metadata['issuer']).toBe(issuer.url);
    for (const name of Object.keys(scene.metadata).filter((key) => key.endsWith('_endpoint') || key === 'jwks_uri')) {
      const answer = await fetch(String(scene.metadata[name]), { method: 'OPTIONS' });
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
        basic(scene.web.application.clientId, scene.web.secret ?? ''),
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
        const {
          client_id: _id,
          client_secret: _secret,
          ...form
        } = issuer.exchange(scene.web, await issuer.code(scene.web));
        return (await issuer.tokenRequest(form, basic(scene.web.application.clientId, scene.web.secret ?? ''))).status;
      },
      client_secret_post: async () =>
        (await issuer.tokenRequest(issuer.exchange(scene.web, await issuer.code(scene.web)))).status,
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
    const client_id = scene.web.application.clientId;
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
    expect(new URL(denied.headers.get('location') ?? '').searchParams.get('iss')).toBe(scene.metadata['issuer']);
  });

  test('the endpoint of the device grant answers', async () => {
    const form = {
      client_id: scene.web.application.clientId,
      client_secret: scene.web.secret ?? '',
      scope: 'read_user',
    };
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
