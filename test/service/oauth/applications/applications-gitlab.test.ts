import { describe, expect, test } from 'vitest';
import { browserAt } from '../../browser.ts';
import { callback, startProvider } from '../authorize-fixture.ts';
import { useWorld } from '../../use-service.ts';

const provider = useWorld(startProvider);

describe("GitLab's API for administrators", () => {
  const gitlab = '/api/v4/applications';
  const ask = async (method: string, url: string, token: string, body?: string | URLSearchParams) => {
    const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(provider.url + url, {
      method,
      headers: { 'private-token': token, ...json },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? null : JSON.parse(text)) as unknown,
    };
  };

  test('registers from JSON and from a form, lists without secrets, renews, removes', async () => {
    const token = await provider.token(provider.ids.alice, ['api']);
    const wish = { name: 'Lab app', redirect_uri: `${callback}\nhttp://127.0.0.1/cb`, scopes: 'api read_user' };
    const made = await ask('POST', gitlab, token, JSON.stringify(wish));
    expect(made.status).toBe(201);
    const { id, ...rest } = made.body as { id: number };
    expect(rest).toEqual({
      application_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      application_name: 'Lab app',
      callback_url: wish.redirect_uri,
      confidential: true,
      secret: expect.stringMatching(/^bpas-/) as string,
    });
    const form = await ask('POST', gitlab, token, new URLSearchParams({ ...wish, confidential: 'false' }));
    expect(form.body).toMatchObject({ confidential: false, secret: '' });

    const listed = await ask('GET', `${gitlab}?per_page=1&page=1`, token);
    expect(listed.body).toHaveLength(1);
    expect(Number(listed.headers.get('x-total'))).toBeGreaterThan(1);
    expect(JSON.stringify((await ask('GET', `${gitlab}?per_page=100`, token)).body)).not.toContain('secret');

    const renewed = await ask('POST', `${gitlab}/${id}/renew-secret`, token);
    expect(renewed.status).toBe(201);
    expect(renewed.body).toMatchObject({ id, secret: expect.stringMatching(/^bpas-/) as string });
    expect((await ask('DELETE', `${gitlab}/${id}`, token)).status).toBe(204);
    expect(await ask('DELETE', `${gitlab}/${id}`, token)).toMatchObject({
      status: 404,
      body: { message: '404 Not found' },
    });
  });

  test('refuses invalid input, and all other users', async () => {
    const token = await provider.token(provider.ids.alice, ['api']);
    const missing = await ask('POST', gitlab, token, JSON.stringify({ name: 'x' }));
    expect(missing.status).toBe(400);
    expect(JSON.stringify(missing.body)).toContain('redirect_uri');
    expect(
      (
        await ask(
          'POST',
          gitlab,
          token,
          JSON.stringify({ name: 'x', redirect_uri: 'http://a.example/', scopes: 'api' }),
        )
      ).status,
    ).toBe(400);
    for (const [user, scopes] of [
      ['bob', ['api']],
      ['alice', ['read_api']],
    ] as const) {
      const other = await provider.token(provider.ids[user], scopes);
      expect((await ask('GET', gitlab, other)).status).toBe(403);
      expect((await ask('POST', gitlab, other, JSON.stringify({}))).status).toBe(403);
    }
    expect((await ask('GET', gitlab, 'bppat-nothing')).status).toBe(401);
  });
});

describe("GitLab's addresses of a user", () => {
  test.each([
    ['/profile/applications', '/ui/applications'],
    ['/-/profile/applications/', '/ui/applications'],
    ['/user_settings/applications', '/ui/applications'],
    ['/-/user_settings/applications', '/ui/applications'],
    ['/oauth/applications', '/ui/applications'],
    ['/oauth/authorized_applications', '/ui/applications'],
    ['/profile/personal_access_tokens?name=lab&scopes=api,read_user', '/ui/tokens?name=lab&scopes=api,read_user'],
    ['/-/user_settings/personal_access_tokens', '/ui/tokens'],
    ['/profile/account', '/ui/account'],
    ['/profile', '/ui/account'],
  ])('%s redirects to %s', async (from, to) => {
    const response = await browserAt(provider).get(from);
    expect([response.status, response.headers.get('location')]).toEqual([303, to]);
  });
});

test('the OpenAPI document has the routes, each with an own operation id', async () => {
  const document = (await (await fetch(`${provider.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(document.paths['/api/v4/user/applications/{id}/renew_secret']?.['post']?.operationId).toBe(
    'renewApplicationSecret',
  );
  expect(document.paths['/api/v4/user/authorized_applications/{applicationId}']?.['delete']?.operationId).toBe(
    'revokeAuthorizedApplication',
  );
  expect(document.paths['/api/v4/applications']?.['post']?.operationId).toBe('registerApplicationAsAdministrator');
});
