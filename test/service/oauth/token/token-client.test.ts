import { describe, expect, test } from 'vitest';
import { secretOf, useClients, without } from './token-clients.ts';

const scene = useClients();
const { issuer } = scene;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

describe('the token endpoint', () => {
  test('S40 is POST only; other methods get 405 with Allow', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`${issuer.url}/oauth/token`, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('OPTIONS, POST');
    }
  });

  test('S41 accepts a form and JSON; any other type is a JSON error', async () => {
    const form = issuer.exchange(scene.web, await issuer.code(scene.web));
    const send = (body: string, type: string) =>
      fetch(`${issuer.url}/oauth/token`, { method: 'POST', body, headers: { 'content-type': type } });
    for (const [type, status] of [
      ['text/plain', 400],
      ['application/xml', 415],
      ['multipart/form-data; boundary=x', 415],
    ] as const) {
      const answer = await send(new URLSearchParams(form).toString(), type);
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
    }
    const broken = await send('{"grant_type":"authorization_code", <b>', 'application/json');
    expect(broken.status).toBe(400);
    expect(await broken.text()).toBe('{"error":"invalid_request","error_description":"The request cannot be read."}');
    const long = await send(`code=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded');
    expect([long.status, await long.json()]).toMatchObject([413, { error: 'invalid_request' }]);
    expect((await send(JSON.stringify(form), 'application/json')).status).toBe(200);
  });

  test('S42 refuses its parameters in the query, and ignores others there', async () => {
    const form = issuer.exchange(scene.web, await issuer.code(scene.web));
    const query = `client_secret=${secretOf(scene.web)}`;
    expect((await issuer.post(`/oauth/token?${query}`, without(form, 'client_secret'))).body).toMatchObject({
      error: 'invalid_request',
    });
    expect((await issuer.post(`/oauth/token?${new URLSearchParams(form).toString()}`, {})).status).toBe(400);
    for (const name of ['client%5Fsecret', 'code', 'token', 'scope[]'])
      expect((await issuer.post(`/oauth/token?${name}=x`, form)).status, name).toBe(400);
    // RFC 6749 section 3.2: the endpoint's URL may have a query, and unknown parameters are
    // ignored.
    expect((await issuer.post('/oauth/token?tenant=lab&x=', form)).status).toBe(200);
  });

  test('refuses repeated and structured parameters', async () => {
    const form = issuer.exchange(scene.web, await issuer.code(scene.web));
    const send = async (body: string, type = 'application/x-www-form-urlencoded') => {
      const answer = await fetch(`${issuer.url}/oauth/token`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      return [answer.status, ((await answer.json()) as { error: string }).error];
    };
    const text = new URLSearchParams(form).toString();
    expect(await send(`${text}&code=again`)).toEqual([400, 'invalid_request']);
    expect(await send(`${text}&scope[a]=b`)).toEqual([400, 'invalid_request']);
    expect(await send(JSON.stringify({ ...form, code: ['x'] }), 'application/json')).toEqual([400, 'invalid_request']);
    expect(await send(JSON.stringify({ ...form, scope: { a: 1 } }), 'application/json')).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await send('[]', 'application/json')).toEqual([400, 'invalid_request']);
    expect(await send('null', 'application/json')).toEqual([400, 'invalid_request']);
    expect((await issuer.tokenRequest(form)).status).toBe(200);
  });

  test.each([
    ['grant_type', 'invalid_request'],
    ['code', 'invalid_request'],
    ['redirect_uri', 'invalid_request'],
  ])('reports a missing %s', async (name, error) => {
    const answer = await issuer.tokenRequest(without(issuer.exchange(scene.web, await issuer.code(scene.web)), name));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error, error_description: `The parameter ${name} is missing.` });
  });

  test('S67 S70 nothing is stored, and no response repeats the request', async () => {
    const echo = '"<b>\\sesame';
    const answers = [
      await issuer.tokenRequest(issuer.exchange(scene.web, await issuer.code(scene.web))),
      await issuer.tokenRequest({ grant_type: echo }),
      await issuer.tokenRequest({ ...issuer.exchange(scene.web, echo), redirect_uri: echo, code_verifier: echo }),
      await issuer.tokenRequest({
        client_id: echo,
        client_secret: echo,
        grant_type: 'refresh_token',
        refresh_token: echo,
      }),
      await issuer.refresh(scene.web, echo, { scope: echo }),
      await issuer.tokenRequest({ grant_type: 'password', username: echo, password: echo, scope: echo }),
      await issuer.post('/oauth/revoke', { token: echo }),
      await issuer.post('/oauth/introspect', { token: echo }),
      await issuer.post('/oauth/authorize_device', { client_id: echo }),
      await issuer.get('/oauth/token/info'),
      await issuer.get('/oauth/token/info', { authorization: `Basic ${echo}` }),
      await issuer.get('/oauth/userinfo'),
      await issuer.get('/oauth/token'),
    ];
    for (const answer of answers) {
      expect(answer.headers.get('cache-control')).toContain('no-store');
      expect(answer.headers.get('pragma')).toBe('no-cache');
      expect(answer.text).not.toContain('sesame');
      expect(textOf(answer.body['error_description'])).toMatch(/^[\u0020\u0021\u0023-\u005B\u005D-\u007E]*$/);
      if (answer.body['error'] !== undefined)
        expect(answer.text).toContain(`{"error":"${textOf(answer.body['error'])}"`);
    }
    expect(answers.map(({ body }) => body['error'])).toEqual([
      undefined,
      'unsupported_grant_type',
      'invalid_grant',
      'invalid_client',
      'invalid_scope',
      'invalid_scope',
      'invalid_client',
      'invalid_request',
      'invalid_client',
      'invalid_token',
      'invalid_token',
      undefined,
      'invalid_request',
    ]);
  });
});

test('S69 pages of other origins may call the endpoints for browser clients, without cookies, and no others', async () => {
  const preflight = (path: string) =>
    fetch(issuer.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/userinfo', '/oauth/token/']) {
    const answer = await preflight(path);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/authorization/i);
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  }
  for (const path of [
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/oauth/discovery/keys',
  ]) {
    expect((await issuer.get(path, { origin: 'https://app.example' })).headers.get('access-control-allow-origin')).toBe(
      '*',
    );
  }
  const failed = await issuer.tokenRequest({}, { origin: 'https://app.example' });
  expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([400, '*']);
  for (const path of [
    '/oauth/authorize',
    '/users/sign_in',
    '/oauth/device',
    '/oauth/introspect',
    '/oauth/authorize_device',
    '/api/v4/user',
    '/ui/tokens',
    '/api/v4/personal_access_tokens',
  ]) {
    const answer = await preflight(path);
    expect(answer.headers.get('access-control-allow-origin'), path).toBeNull();
    expect(
      (await issuer.get(path, { origin: 'https://app.example' })).headers.get('access-control-allow-origin'),
      path,
    ).toBeNull();
  }
  const plain = await fetch(`${issuer.url}/oauth/token`, { method: 'OPTIONS' });
  expect([plain.status, plain.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
});
