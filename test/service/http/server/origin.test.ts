import { beforeAll, describe, expect, test } from 'vitest';
import { useTestService } from '../../use-service.ts';
import { rawRequest } from '../../raw-request.ts';
import { signedIn, type SignedIn } from '../../accounts/second-factor-browser.ts';
import { csrfOf } from '../../browser.ts';

const service = useTestService();
let alice: SignedIn;
beforeAll(async () => {
  alice = await signedIn(service, 'alice', true);
});

describe('S107 the Host header', () => {
  test.each([
    'elsewhere.example',
    'localhost.elsewhere.example',
    '127.0.0.1.elsewhere.example',
    '192.0.2.9:7420',
    'a b',
    '[::2]',
  ])('%j is refused', async (host) => {
    for (const path of [
      '/api/v4/session',
      '/users/sign_in',
      '/users/sign_in/second_factor',
      '/api/v4/user/account',
      '/ui/',
      '/nothing',
    ]) {
      const answer = await rawRequest({ port: service.port }, { path, headers: { host } });
      expect([path, answer.status]).toEqual([path, 421]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST:1', '[::1]:7420'])('%j is', async (host) => {
    expect((await rawRequest({ port: service.port }, { path: '/api/v4/session', headers: { host } })).status).toBe(200);
  });
});

describe('S107 a request from a page of another origin', () => {
  const writes = [
    ['POST', '/api/v4/user/totp', '{}'],
    ['POST', '/api/v4/session/confirm', '{"password":"x"}'],
    ['PUT', '/api/v4/user/password', '{"new_password":"quite another one","revoke_tokens":false}'],
    ['DELETE', '/api/v4/user/sessions', '{}'],
    ['POST', '/api/v4/users', '{"username":"x","name":"x"}'],
    ['POST', '/api/v4/users/1/block', '{}'],
    ['DELETE', '/api/v4/users/1', '{}'],
    ['PUT', '/api/v4/application/settings', '{"password_grant":true,"development_redirects":true}'],
    ['POST', '/api/v4/user/personal_access_tokens', '{"name":"x","scopes":["api"]}'],
    ['POST', '/api/v4/user/applications', '{}'],
    ['POST', '/users/sign_out', '{}'],
  ] as const;
  const cookie = () => [...alice.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  test.each(writes)('cannot write: %s %s', async (method, path, body) => {
    const csrf = await csrfOf(alice.browser);
    for (const headers of [
      {},
      { 'x-csrf-token': 'x' },
      { 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' },
      { 'x-csrf-token': csrf, 'sec-fetch-site': 'same-site' },
      { 'x-csrf-token': csrf, origin: 'https://elsewhere.example' },
      { 'x-csrf-token': csrf, origin: 'null' },
    ]) {
      const answer = await rawRequest(
        { port: service.port },
        {
          method,
          path,
          body,
          headers: {
            cookie: cookie(),
            'content-type': 'application/json',
            'content-length': String(body.length),
            ...headers,
          },
        },
      );
      expect([headers, answer.status]).toEqual([headers, 403]);
    }
    expect((await alice.browser.get('/api/v4/user')).status).toBe(200);
  });

  test('gets no permission from a preflight, not even for a private network', async () => {
    for (const path of ['/api/v4/user/account', '/api/v4/users', '/users/sign_in']) {
      const answer = await rawRequest(
        { port: service.port },
        {
          method: 'OPTIONS',
          path,
          headers: {
            origin: 'https://elsewhere.example',
            'access-control-request-method': 'POST',
            'access-control-request-private-network': 'true',
          },
        },
      );
      for (const name of ['origin', 'private-network', 'credentials'])
        expect(answer.headers[`access-control-allow-${name}`]).toBeUndefined();
    }
  });
});
