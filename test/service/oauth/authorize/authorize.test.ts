import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { browserAt } from '../../browser.ts';
import { answerOf, authorizePath, callback, challenge, press, pkce } from '../authorize-fixture.ts';
import { useAnswers } from './answers-scene.ts';

const scene = useAnswers();
const { provider, errorOf } = scene;

describe('a request with an invalid client or redirect URI', () => {
  test.each<[string, Parameters<typeof authorizePath>[0]]>([
    ['S01 unknown client_id', { client_id: 'f'.repeat(64) }],
    ['S02 missing client_id', { client_id: null }],
    ['S02 empty client_id', { client_id: '' }],
    ['S03 missing redirect_uri', { redirect_uri: null }],
    ['S03 redirect_uri that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    [
      'S03 redirect_uri that is not registered, with prompt=none',
      { redirect_uri: 'https://evil.example/callback', prompt: 'none' },
    ],
    ['S05 redirect_uri with something more', { redirect_uri: `${callback}?next=1` }],
    ['S16 repeated client_id', { client_id: ['a', 'b'] }],
    ['S16 repeated redirect_uri', { redirect_uri: [callback, callback] }],
    ['S17 structured scope', { 'scope[a]': 'b' }],
    ['S17 list of scopes', { 'scope[]': 'api' }],
    ['S23 client_id over size', { client_id: 'x'.repeat(8000) }],
    ['S23 redirect_uri over size', { redirect_uri: `${callback}${'x'.repeat(8000)}` }],
  ])('%s: an error page, signed in or not, and no redirect', async (_name, parameters) => {
    for (const browser of [scene.bob, browserAt(provider)]) {
      const response = await browser.get(authorizePath({ client_id: scene.confidential, ...parameters }));
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('This request cannot continue');
    }
  });

  test('S39 an error page repeats nothing of the request', async () => {
    const page = await (
      await scene.bob.get(authorizePath({ client_id: '<script>x', redirect_uri: '"><b>y', state: 'zzz<i>' }))
    ).text();
    expect(page).not.toMatch(/<script|<b>|<i>|zzz/);
  });

  test('S10 http redirect URIs of an application no longer in development are rejected', async () => {
    const { settings } = provider.services;
    const redirectUri = 'http://bench.example/callback';
    await expect(provider.register({ redirectUris: [redirectUri] })).rejects.toThrow('must use https');
    await settings.set('oauth.development_redirects', 'on');
    const { application } = await provider.register({ redirectUris: [redirectUri] });
    const path = authorizePath({ client_id: application.clientId, redirect_uri: redirectUri });
    expect((await scene.bob.get(path)).status).toBe(200);
    await settings.set('oauth.development_redirects', 'off');
    expect((await scene.bob.get(path)).status).toBe(400);
  });
});

describe('S11 other errors are sent to the client', () => {
  test.each<[string, string, Parameters<typeof authorizePath>[0]]>([
    ['S12 response_type missing', 'invalid_request', { response_type: null }],
    ['S12 response_type empty', 'invalid_request', { response_type: '' }],
    ['S12 response_type unknown', 'unsupported_response_type', { response_type: 'cookie' }],
    ['S13 response_type=token', 'unsupported_response_type', { response_type: 'token' }],
    ['S12 response_type=code token', 'unsupported_response_type', { response_type: 'code token' }],
    ['S14 scope unknown', 'invalid_scope', { scope: 'read_user sudo' }],
    ['S14 scope outside the application', 'invalid_scope', { scope: 'read_user email' }],
    ['S14 scopes separated by commas', 'invalid_scope', { scope: 'read_user,api' }],
    ['S16 repeated scope', 'invalid_request', { scope: ['api', 'read_user'] }],
    ['S16 repeated response_type', 'invalid_request', { response_type: ['code', 'code'] }],
    [
      'S19 code_challenge_method=plain',
      'invalid_request',
      { code_challenge: challenge, code_challenge_method: 'plain' },
    ],
    ['S19 code_challenge_method absent', 'invalid_request', { code_challenge: challenge }],
    [
      'S19 code_challenge_method in lower case',
      'invalid_request',
      { code_challenge: challenge, code_challenge_method: 's256' },
    ],
    ['S19 code_challenge_method alone', 'invalid_request', { code_challenge_method: 'S256' }],
    ['S20 code_challenge short', 'invalid_request', { ...pkce, code_challenge: challenge.slice(1) }],
    ['S20 code_challenge long', 'invalid_request', { ...pkce, code_challenge: `${challenge}A` }],
    ['S20 code_challenge with padding', 'invalid_request', { ...pkce, code_challenge: `${challenge.slice(1)}=` }],
    ['S20 code_challenge of plain base64', 'invalid_request', { ...pkce, code_challenge: `${challenge.slice(1)}+` }],
    ['S23 scope over size', 'invalid_request', { scope: 'x'.repeat(2001) }],
    ['S23 nonce over size', 'invalid_request', { nonce: 'x'.repeat(2001) }],
    ['response_mode unknown', 'invalid_request', { response_mode: 'jwt' }],
    ['request object', 'request_not_supported', { request: 'a.b.c' }],
    ['request_uri', 'request_uri_not_supported', { request_uri: 'https://app.example/request' }],
    ['prompt unknown', 'invalid_request', { prompt: 'maybe' }],
    ['prompt=none with another', 'invalid_request', { prompt: 'none login' }],
    ['max_age that is no number', 'invalid_request', { max_age: '1.5' }],
  ])('%s: %s', async (name, code, parameters) => {
    for (const browser of [scene.bob, browserAt(provider)]) {
      const { status, url, members } = await errorOf(
        authorizePath({ client_id: scene.confidential, state: 'a b&c', ...parameters }),
        browser,
      );
      expect(status).toBe(302);
      expect(url, name).toBe(callback);
      expect(members).toMatchObject({ error: code, state: 'a b&c', iss: provider.url });
      expect(members['error_description']).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    }
  });

  test('S18 a public client without code_challenge: invalid_request', async () => {
    expect((await errorOf(authorizePath({ client_id: scene.publicClient }))).error).toBe('invalid_request');
    expect((await scene.bob.get(authorizePath({ client_id: scene.publicClient, ...pkce }))).status).toBe(200);
  });

  test('S16 a repeated state is not returned', async () => {
    const { error, members } = await errorOf(authorizePath({ client_id: scene.confidential, state: ['a', 'b'] }));
    expect(error).toBe('invalid_request');
    expect(members).not.toHaveProperty('state');
  });

  test('S16 on POST too, and S17 there', async () => {
    const post = async (body: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return fetch(`${provider.url}/oauth/authorize`, { method: 'POST', body, headers, redirect: 'manual' });
    };
    const query = authorizePath({ client_id: scene.confidential }).split('?')[1] ?? '';
    const repeated = await post(`${query}&scope=api`);
    expect(repeated.status).toBe(303);
    expect(answerOf(repeated).members).toMatchObject({ error: 'invalid_request', state: 'xyz' });
    expect((await post(`${query}&scope[a]=b`)).status).toBe(400);
    expect((await post(`${query}&client_id=x`)).status).toBe(400);
    expect((await post('')).status).toBe(400);
    const good = await post(query);
    expect(good.status).toBe(303);
    expect(good.headers.get('location')).toBe(`/oauth/authorize?${new URLSearchParams(query).toString()}`);
    const json = await fetch(`${provider.url}/oauth/authorize`, {
      method: 'POST',
      body: JSON.stringify({ client_id: { a: 1 }, csrf_token: ['x'] }),
      headers: { 'content-type': 'application/json' },
    });
    expect(json.status).toBe(403);
    expect((await post('x'.repeat(40_000))).status).toBe(413);
  });
});

describe('S04 client and redirect URI are checked before the sign-in', () => {
  // Random characters that must be escaped and cannot be compressed.
  const escaped = '"<>%&+=#?/\\^`{|} \u0001\u001F'.split('');
  test.each([
    ['of many kinds', `${'s~x-'.repeat(1020)} "<ä€&=+%`],
    ['of escapes', '%25'.repeat(1365)],
    [
      'of many characters to escape',
      Array.from({ length: 4096 }, (_, place) => escaped[Math.floor(Math.sin(place) ** 2 * 1e6) % escaped.length]).join(
        '',
      ),
    ],
  ])('the sign-in leads back to the same request, with a state of 4 KiB %s', async (_name, state) => {
    expect(Buffer.byteLength(state)).toBeGreaterThan(4000);
    expect(Buffer.byteLength(state)).toBeLessThanOrEqual(4096);
    const browser = browserAt(provider);
    const first = await browser.get(authorizePath({ client_id: scene.confidential, state }));
    expect(first.status).toBe(302);
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    const signIn = new URL(first.headers.get('location') ?? '', provider.url);
    expect(signIn.pathname).toBe('/users/sign_in');
    const back = await browser.signIn('alice', 'a rather long word', signIn.search);
    expect(back.status).toBe(303);
    const page = await browser.get(back.headers.get('location') ?? '');
    expect(page.status).toBe(200);
    const done = await press(browser, await page.text(), 'deny');
    expect(answerOf(done).members['state']).toBe(state);
  });

  test('a packed request that this service has not made counts as one without a client', async () => {
    // The last one would decompress to a megabyte.
    const large = deflateRawSync(`client_id=${scene.confidential}&x=${'x'.repeat(1_000_000)}`).toString('base64url');
    for (const word of ['', 'x', '%00', large]) {
      const response = await scene.bob.get(
        `/oauth/authorize?packed=${word}&${authorizePath({ client_id: scene.confidential }).split('?')[1] ?? ''}`,
      );
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('client_id');
    }
  });

  test('a HEAD request gets the response to GET without its body', async () => {
    const path = authorizePath({ client_id: scene.confidential });
    for (const [browser, status] of [
      [scene.bob, 200],
      [browserAt(provider), 302],
    ] as const) {
      const response = await browser.head(path);
      expect(response.status).toBe(status);
      expect(response.headers.get('location')).toEqual((await browser.get(path)).headers.get('location'));
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toBe('');
    }
  });
});

test('S08 git-credential-oauth: a loopback redirect URI without a path, at any port', async () => {
  const page = await (
    await scene.bob.get(
      authorizePath({ client_id: scene.publicClient, redirect_uri: 'http://127.0.0.1:49152', ...pkce }),
    )
  ).text();
  expect((await press(scene.bob, page, 'approve')).headers.get('location')).toMatch(
    /^http:\/\/127\.0\.0\.1:49152\?code=[0-9a-f]{64}&state=xyz&iss=/,
  );
});

test('other methods are 405', async () => {
  const response = await fetch(`${provider.url}/oauth/authorize`, { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
});
