import { beforeAll, describe, expect, test } from 'vitest';
import { renewApplicationSecret } from '../../../../src-main/service/oauth/applications/application-change.ts';
import { knownClients } from '../../../../src-main/service/oauth/clients/known-clients.ts';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { secretDigest } from '../../../../src-main/service/secrets/secret-digest.ts';
import { changeSeen, openBeside } from '../../fixture-measurement.ts';
import { basic, startIssuer } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;
let desktop: RegisteredApplication;
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

beforeAll(async () => {
  web = await issuer.register();
  desktop = await issuer.register({ name: 'Desktop', confidential: false });
});

const without = (form: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const secretOf = (registered: RegisteredApplication) => registered.secret ?? '';

describe('the token endpoint', () => {
  test('S40 is POST only; other methods get 405 with Allow', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`${issuer.url}/oauth/token`, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('OPTIONS, POST');
    }
  });

  test('S41 accepts a form and JSON; any other type is a JSON error', async () => {
    const form = issuer.exchange(web, await issuer.code(web));
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
    const form = issuer.exchange(web, await issuer.code(web));
    const query = `client_secret=${secretOf(web)}`;
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

  test('S43 two authentication methods at once are refused', async () => {
    const form = issuer.exchange(web, await issuer.code(web));
    const both = await issuer.tokenRequest(form, basic(web.application.clientId, secretOf(web)));
    expect([both.status, both.body['error']]).toEqual([400, 'invalid_request']);
    expect(both.headers.get('www-authenticate')).toBeNull();
    expect(
      (await issuer.tokenRequest(without(form, 'client_secret'), basic(web.application.clientId, secretOf(web))))
        .status,
    ).toBe(200);
  });

  test('S44 Basic and body that name different clients are refused', async () => {
    const form = without(
      issuer.exchange(desktop, await issuer.code(desktop, { codeChallenge }), { code_verifier: verifier }),
      'client_secret',
    );
    const answer = await issuer.tokenRequest(form, basic(web.application.clientId, secretOf(web)));
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
    expect((await issuer.tokenRequest(form)).status).toBe(200);
  });

  test('S45 a public client may send Basic with an empty password, but no other', async () => {
    const form = without(
      issuer.exchange(desktop, await issuer.code(desktop, { codeChallenge }), { code_verifier: verifier }),
      'client_id',
    );
    expect((await issuer.tokenRequest(form, basic(desktop.application.clientId, 'guess'))).status).toBe(401);
    expect(
      (await issuer.tokenRequest({ ...form, client_id: desktop.application.clientId, client_secret: 'guess' })).status,
    ).toBe(401);
    expect((await issuer.tokenRequest(form, basic(desktop.application.clientId, ''))).status).toBe(200);
  });

  test('S46 Basic is form-encoded text in strict base64', async () => {
    const form = without(issuer.exchange(web, await issuer.code(web)), 'client_id', 'client_secret');
    const { clientId } = web.application;
    const plain = btoa(`${clientId}:${secretOf(web)}`);
    for (const value of [
      `${plain}=`,
      `${plain}!`,
      plain.replace(/=*$/, ' x'),
      btoa(`${clientId}%zz:${secretOf(web)}`),
      btoa(clientId),
      '',
      '====',
    ]) {
      const answer = await issuer.tokenRequest(form, { authorization: `Basic ${value}` });
      expect([400, 401], value).toContain(answer.status);
      expect(['invalid_client', 'invalid_request']).toContain(answer.body['error']);
    }
    const encoded = Buffer.from(clientId).toString('hex').replaceAll(/../g, '%$&');
    expect(
      (await issuer.tokenRequest(form, { authorization: `bAsIc ${btoa(`${encoded}:${secretOf(web)}`)}` })).status,
    ).toBe(200);
  });

  test('S47 a confidential client needs its secret, also with a code_verifier', async () => {
    const form = issuer.exchange(web, await issuer.code(web, { codeChallenge }), { code_verifier: verifier });
    const answer = await issuer.tokenRequest(without(form, 'client_secret'));
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
    expect((await issuer.tokenRequest({ ...form, client_secret: '' })).status).toBe(401);
    expect(
      (await issuer.tokenRequest(without(form, 'client_secret'), basic(web.application.clientId, ''))).status,
    ).toBe(401);
    expect((await issuer.tokenRequest(form)).status).toBe(200);
  });

  test('S48 a failed authentication uses up neither code nor refresh token', async () => {
    const form = issuer.exchange(web, await issuer.code(web));
    for (let tries = 0; tries < 3; tries += 1)
      expect((await issuer.tokenRequest({ ...form, client_secret: 'wrong' })).status).toBe(401);
    const first = await issuer.tokenRequest(form);
    expect(first.status).toBe(200);
    const refresh = String(first.body['refresh_token']);
    for (let tries = 0; tries < 3; tries += 1)
      expect((await issuer.refresh(web, refresh, { client_secret: 'wrong' })).status).toBe(401);
    expect((await issuer.tokenRequest({ ...form, client_secret: 'wrong' })).status).toBe(401);
    expect(await issuer.userStatus(String(first.body['access_token']))).toBe(200);
    expect((await issuer.refresh(web, refresh)).status).toBe(200);
    expect(
      issuer.audited(web.application.id).filter(({ action }) => action === 'oauth.failed').length,
    ).toBeGreaterThanOrEqual(7);
  });

  test('S49 the challenge is Basic, and only for a client that used it', async () => {
    const form = issuer.exchange(web, 'f'.repeat(64));
    const inBody = await issuer.tokenRequest({ ...form, client_secret: 'wrong' });
    expect([inBody.status, inBody.body['error'], inBody.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      null,
    ]);
    const inHeader = await issuer.tokenRequest(
      without(form, 'client_id', 'client_secret'),
      basic(web.application.clientId, 'wrong'),
    );
    expect([inHeader.status, inHeader.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Benchport"']);
    const unknown = await issuer.tokenRequest(without(form, 'client_id', 'client_secret'), basic('a'.repeat(64), 'x'));
    expect([unknown.status, unknown.text]).toEqual([401, inHeader.text]);
    const nobody = await issuer.tokenRequest(without(form, 'client_id', 'client_secret'));
    expect([nobody.status, nobody.body['error'], nobody.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      null,
    ]);
    const wrongCode = await issuer.tokenRequest(form);
    expect([wrongCode.status, wrongCode.body['error'], wrongCode.headers.get('www-authenticate')]).toEqual([
      400,
      'invalid_grant',
      null,
    ]);
  });

  test('a renewed secret works with the next request, the old one does not, whichever process renewed it', async () => {
    const registered = await issuer.register({ name: 'Renewed' });
    const status = async (secret: string) =>
      (await issuer.tokenRequest({ ...issuer.exchange(registered, 'f'.repeat(64)), client_secret: secret })).body[
        'error'
      ];
    const { application } = registered;
    expect(await status(secretOf(registered))).toBe('invalid_grant');
    const renewed = await renewApplicationSecret(issuer.services, application, { userId: null, address: null });
    expect(await status(secretOf(registered))).toBe('invalid_client');
    expect(await status(renewed)).toBe('invalid_grant');
    const beside = openBeside(issuer);
    beside
      .prepare('UPDATE oauth_applications SET secret_hash = ? WHERE id = ?')
      .run(secretDigest('bpas-other'), application.id);
    beside.close();
    await changeSeen(issuer);
    expect(await status(renewed)).toBe('invalid_client');
    expect(await status('bpas-other')).toBe('invalid_grant');
  });

  test('an application is read once until something changes', async () => {
    const { applications, changes } = issuer.services;
    let reads = 0;
    const byClientId = async (clientId: string) => {
      reads += 1;
      return applications.byClientId(clientId);
    };
    const clients = knownClients({ ...applications, byClientId }, changes);
    const { clientId } = web.application;
    for (let i = 0; i < 3; i += 1) expect((await clients(clientId))?.clientId).toBe(clientId);
    expect(reads).toBe(1);
    changes.bump();
    for (let i = 0; i < 3; i += 1) expect((await clients(clientId))?.clientId).toBe(clientId);
    expect(reads).toBe(2);
    for (let i = 0; i < 2; i += 1) expect(await clients('unknown')).toBeNull();
  });

  test('refuses repeated and structured parameters', async () => {
    const form = issuer.exchange(web, await issuer.code(web));
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
    const answer = await issuer.tokenRequest(without(issuer.exchange(web, await issuer.code(web)), name));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error, error_description: `The parameter ${name} is missing.` });
  });

  test('S67 S70 nothing is stored, and no response repeats the request', async () => {
    const echo = '"<b>\\sesame';
    const answers = [
      await issuer.tokenRequest(issuer.exchange(web, await issuer.code(web))),
      await issuer.tokenRequest({ grant_type: echo }),
      await issuer.tokenRequest({ ...issuer.exchange(web, echo), redirect_uri: echo, code_verifier: echo }),
      await issuer.tokenRequest({
        client_id: echo,
        client_secret: echo,
        grant_type: 'refresh_token',
        refresh_token: echo,
      }),
      await issuer.refresh(web, echo, { scope: echo }),
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
