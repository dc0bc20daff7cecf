import { openBeside } from '../../fixture-measurement.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CreatedApplication, OAuthApplication } from '../../../../src-main/service/contract/applications.ts';
import { asWindow } from '../../as-window.ts';
import { browserAt, csrfOf, type Browser } from '../../browser.ts';
import { answerOf, authorizePath, callback, press, startProvider } from '../authorize-fixture.ts';
import { useWorld } from '../../use-service.ts';

const provider = useWorld(startProvider);
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  [alice, bob] = [await provider.signedIn('alice'), await provider.signedIn('bob')];
});

const path = '/api/v4/user/applications';
const plotter = { name: 'Plotter', redirect_uris: [callback], scopes: ['read_user'], confidential: true };

async function send(browser: Browser, method: string, url: string, body?: unknown) {
  const headers = {
    'x-csrf-token': await csrfOf(browser),
    'sec-fetch-site': 'same-origin',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const init = {
    method,
    headers: { ...headers, cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await fetch(provider.url + url, init);
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown>,
  };
}

async function created(browser: Browser, wish: object = {}): Promise<CreatedApplication> {
  const { status, body } = await send(browser, 'POST', path, { ...plotter, ...wish });
  expect(status).toBe(201);
  return body as unknown as CreatedApplication;
}

async function list(browser: Browser, query = ''): Promise<OAuthApplication[]> {
  return (await send(browser, 'GET', path + query)).body as unknown as OAuthApplication[];
}

/** Makes the last confirmation older than 15 minutes. */
async function forget(browser: Browser): Promise<void> {
  const row = await provider.services.sessions.row(browser.cookies.get('benchport_session') ?? '');
  const database = openBeside(provider);
  database.prepare('UPDATE sessions SET confirmed_at = 0 WHERE id = ?').run(row?.id);
  database.close();
}
describe('registering', () => {
  test('answers with a client id and, once, the secret; public applications have none', async () => {
    const application = await created(bob, { device_grant: true });
    expect(application).toMatchObject({
      ...plotter,
      client_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      client_secret: expect.stringMatching(/^bpas-[0-9a-f]{64}$/) as string,
      device_grant: true,
      trusted: false,
      legacy_implicit: false,
      owner: { username: 'bob' },
      authorizations: 0,
    });
    expect((await created(bob, { confidential: false })).client_secret).toBeNull();
    const texts = JSON.stringify([
      await list(bob),
      (await send(bob, 'PATCH', `${path}/${application.id}`, { name: 'P' })).body,
    ]);
    expect(texts).not.toContain('bpas-');
    expect(texts).not.toContain('client_secret');
  });

  test.each<[string, object, string]>([
    ['no redirect URI', { redirect_uris: [] }, 'redirect URI'],
    ['plain http', { redirect_uris: ['http://app.example/cb'] }, 'https'],
    ['S09 a scheme that runs', { redirect_uris: ['javascript:alert(1)'] }, 'scheme'],
    ['S10 a fragment', { redirect_uris: [`${callback}#x`] }, 'fragment'],
    ['two in one', { redirect_uris: [`${callback}\nhttps://evil.example/`] }, 'percent-encoded'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['sudo'] }, 'scopes'],
    ['self_rotate', { scopes: ['self_rotate'] }, 'self_rotate'],
    ['no name', { name: ' ' }, 'name'],
    ['a name that looks like another one', { name: 'Plot\u200Bter' }, 'name'],
    ['a name of which nothing is seen', { name: '\u3164' }, 'name'],
    ['a name that is only joiners', { name: '\u200D\uFE0F' }, 'name'],
    ['a name with tags', { name: 'Plotter\u{E0041}' }, 'name'],
    ['the implicit grant', { legacy_implicit: true }, 'legacy_implicit'],
  ])('refuses %s', async (_name, wish, word) => {
    const { status, body, type } = await send(bob, 'POST', path, { ...plotter, ...wish });
    expect(status).toBe(400);
    expect(type).toContain('application/problem+json');
    expect(body['detail']).toContain(word);
  });

  test('accepts an application without redirect URIs if it has the device grant', async () => {
    expect((await created(bob, { redirect_uris: [], device_grant: true })).redirect_uris).toEqual([]);
  });

  test('S35 trust comes from administrators only', async () => {
    expect((await send(bob, 'POST', path, { ...plotter, trusted: true })).status).toBe(403);
    const own = await created(bob);
    expect((await send(bob, 'PATCH', `${path}/${own.id}`, { trusted: true })).status).toBe(403);
    expect((await send(alice, 'PATCH', `${path}/${own.id}`, { trusted: true })).body).toMatchObject({ trusted: true });
    // An application that skips consent must not choose its own scopes.
    for (const change of [{ redirect_uris: ['https://evil.example/cb'] }, { scopes: ['api'] }, { name: 'Other' }]) {
      expect((await send(bob, 'PATCH', `${path}/${own.id}`, change)).status).toBe(403);
    }
    expect((await send(alice, 'PATCH', `${path}/${own.id}`, { trusted: false })).body).toMatchObject({
      trusted: false,
    });
  });

  test('S100 registering and renewing a secret need a recent confirmation; tokens cannot do it', async () => {
    const { id } = await created(bob);
    const token = await provider.token(provider.ids.bob, ['api']);
    const byToken = async (url: string, body: unknown) =>
      (
        await fetch(provider.url + url, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        })
      ).status;
    expect(await byToken(path, plotter)).toBe(403);
    expect(await byToken(`${path}/${id}/renew_secret`, {})).toBe(403);
    await forget(bob);
    for (const [url, body] of [
      [path, plotter],
      [`${path}/${id}/renew_secret`, undefined],
    ] as const) {
      const answer = await send(bob, 'POST', url, body);
      expect(answer.status).toBe(403);
      expect(answer.body['type']).toBe('urn:benchport:problem:confirmation-needed');
    }
    await forget(alice);
    expect(
      (await send(alice, 'POST', '/api/v4/applications', { name: 'x', redirect_uri: callback, scopes: 'api' })).status,
    ).toBe(403);
    [alice, bob] = [await provider.signedIn('alice'), await provider.signedIn('bob')];
  });

  test('invalid input is refused before a password is required', async () => {
    const { id } = await created(bob);
    await forget(bob);
    await forget(alice);
    const wrong = { redirect_uris: ['http://app.example/cb'] };
    for (const [browser, method, url, body] of [
      [bob, 'POST', path, { ...plotter, ...wrong }],
      [bob, 'PATCH', `${path}/${id}`, wrong],
      [alice, 'POST', '/api/v4/applications', { name: 'x', redirect_uri: 'http://app.example/cb', scopes: 'api' }],
    ] as const) {
      const answer = await send(browser, method, url, body);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain('https');
    }
    const right = await send(bob, 'PATCH', `${path}/${id}`, { redirect_uris: [callback] });
    expect(right.body['type']).toBe('urn:benchport:problem:confirmation-needed');
    [alice, bob] = [await provider.signedIn('alice'), await provider.signedIn('bob')];
  });

  test('the window needs no confirmation', async () => {
    expect((await asWindow(provider, 'POST', path, plotter)).status).toBe(201);
  });
});

describe('access to an application', () => {
  test('is limited to its owner and administrators; others do not see it', async () => {
    const application = await created(alice);
    expect((await list(bob)).map(({ id }) => id)).not.toContain(application.id);
    expect((await send(bob, 'GET', `${path}?all=true`)).status).toBe(403);
    for (const [method, url, body] of [
      ['PATCH', `${path}/${application.id}`, { name: 'mine' }],
      ['DELETE', `${path}/${application.id}`, undefined],
      ['POST', `${path}/${application.id}/renew_secret`, undefined],
    ] as const) {
      const foreign = await send(bob, method, url, body);
      const missing = await send(bob, method, url.replace(String(application.id), '99999'), body);
      expect(foreign.status).toBe(404);
      expect(foreign.body['detail']).toBe(missing.body['detail']);
    }
    const own = await created(bob);
    expect((await list(alice, '?all=true')).map(({ id }) => id)).toContain(own.id);
    expect((await list(alice)).map(({ id }) => id)).not.toContain(own.id);
    expect((await send(alice, 'DELETE', `${path}/${own.id}`)).status).toBe(204);
  });

  test('needs the scope api or a browser session', async () => {
    const ask = async (scopes: readonly string[]) => {
      const token = await provider.token(provider.ids.bob, scopes);
      return (await fetch(provider.url + path, { headers: { authorization: `Bearer ${token}` } })).status;
    };
    expect(await ask(['api'])).toBe(200);
    expect(await ask(['read_api'])).toBe(403);
    expect((await browserAt(provider).get(path)).status).toBe(401);
  });

  test('an update changes the given fields only', async () => {
    const { id } = await created(bob);
    const { body } = await send(bob, 'PATCH', `${path}/${id}`, {
      name: ' New ',
      redirect_uris: [callback, callback, 'com.example.app:/cb'],
    });
    expect(body).toMatchObject({
      name: 'New',
      redirect_uris: [callback, 'com.example.app:/cb'],
      scopes: ['read_user'],
      confidential: true,
    });
    expect((await send(bob, 'PATCH', `${path}/${id}`, { confidential: false })).status).toBe(400);
    expect((await send(bob, 'PATCH', `${path}/${id}`, { redirect_uris: ['file:///x'] })).status).toBe(400);
    expect((await send(bob, 'PATCH', `${path}/${id}`, { redirect_uris: [] })).status).toBe(400);
  });
});

async function tokenFor(application: CreatedApplication, secret: string | null): Promise<Response> {
  const page = await (await bob.get(authorizePath({ client_id: application.client_id, prompt: 'consent' }))).text();
  const code = answerOf(await press(bob, page, 'approve')).members['code'] ?? '';
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    client_id: application.client_id,
    client_secret: secret ?? '',
  });
  return fetch(`${provider.url}/oauth/token`, { method: 'POST', body });
}

const whoAmI = async (token: string) =>
  (await fetch(`${provider.url}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('tokens of an application', () => {
  test('a renewed secret replaces the old one, and affects nothing else', async () => {
    const application = await created(bob);
    const { access_token: token } = (await (await tokenFor(application, application.client_secret)).json()) as {
      access_token: string;
    };
    const { status, body } = await send(bob, 'POST', `${path}/${application.id}/renew_secret`);
    expect(status).toBe(200);
    expect(body['secret']).toMatch(/^bpas-[0-9a-f]{64}$/);
    expect((await tokenFor(application, application.client_secret)).status).toBe(401);
    expect((await tokenFor(application, String(body['secret']))).status).toBe(200);
    expect(await whoAmI(token)).toBe(200);
    const open = await created(bob, { confidential: false });
    expect((await send(bob, 'POST', `${path}/${open.id}/renew_secret`)).status).toBe(422);
  });

  test('S77 end with the application, at once', async () => {
    const application = await created(bob);
    const { access_token: token, refresh_token: refresh } = (await (
      await tokenFor(application, application.client_secret)
    ).json()) as Record<string, string>;
    expect(await whoAmI(token ?? '')).toBe(200);
    expect((await list(bob)).find(({ id }) => id === application.id)?.authorizations).toBe(1);
    expect((await send(bob, 'DELETE', `${path}/${application.id}`)).status).toBe(204);
    expect(await whoAmI(token ?? '')).toBe(401);
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refresh ?? '',
      client_id: application.client_id,
      client_secret: application.client_secret ?? '',
    });
    expect((await fetch(`${provider.url}/oauth/token`, { method: 'POST', body })).status).toBe(401);
    expect(await provider.services.oauth.authorizationsOf(provider.ids.bob)).not.toContainEqual(
      expect.objectContaining({ applicationId: application.id }),
    );
    expect((await send(bob, 'DELETE', `${path}/${application.id}`)).status).toBe(404);
  });

  test("are listed for their user, who revokes them here or at GitLab's address", async () => {
    for (const url of ['/api/v4/user/authorized_applications', '/oauth/authorized_applications']) {
      const application = await created(alice, { name: 'Shown' });
      const { access_token: token } = (await (await tokenFor(application, application.client_secret)).json()) as {
        access_token: string;
      };
      const listed = (await send(bob, 'GET', '/api/v4/user/authorized_applications')).body as unknown as {
        application: { id: number } | null;
      }[];
      expect(listed.find((one) => one.application?.id === application.id)).toMatchObject({
        application: { id: application.id, name: 'Shown', confidential: true, owner: { username: 'alice' } },
        scopes: ['read_user'],
      });
      expect((await send(alice, 'DELETE', `${url}/${application.id}`)).status).toBe(404);
      expect(await whoAmI(token)).toBe(200);
      expect((await send(bob, 'DELETE', `${url}/${application.id}`)).status).toBe(204);
      expect(await whoAmI(token)).toBe(401);
      expect((await send(bob, 'DELETE', `${url}/${application.id}`)).status).toBe(404);
      expect(provider.audited(application.id).at(-1)?.action).toBe('oauth.revoke');
    }
    expect((await send(bob, 'DELETE', '/api/v4/user/authorized_applications/none')).status).toBe(404);
    expect((await send(bob, 'DELETE', '/api/v4/user/authorized_applications/x')).status).toBe(400);
  });
});
