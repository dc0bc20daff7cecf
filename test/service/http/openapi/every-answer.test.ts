import { describe, expect, test } from 'vitest';
import { rawRequest } from '../../raw-request.ts';
import { type OpenApi, useInterface } from './interface-scene.ts';

const scene = useInterface();
const { get, service } = scene;

describe('every answer', () => {
  test('has a request id and security headers, and in the API forbids storing', async () => {
    const answer = await get('/api/v4/user');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('ignores a trailing slash; another method gets 405 with Allow', async () => {
    expect((await get('/api/v4/user/')).status).toBe(200);
    const answer = await fetch(`${service.url}/api/v4/user`, {
      method: 'PUT',
      headers: { 'private-token': scene.token },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await fetch(`${service.url}/api/v4/user`, { method: 'OPTIONS' })).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS',
    );
  });

  test('refuses a method that the path does not have in the format of its other refusals', async () => {
    const { paths } = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as OpenApi;
    const shapes = new Map<string, number>();
    for (const [path, item] of Object.entries(paths)) {
      const refusals = JSON.stringify(
        Object.values(item).map(({ responses = {} }) =>
          Object.entries(responses).filter(([status]) => status.startsWith('4')),
        ),
      );
      const answer = await fetch(service.url + path.replaceAll(/\{[^}]+\}/g, '1'), { method: 'PROPFIND' });
      const oauth = /OAuthFailure/.test(refusals) || (/GitlabError/.test(refusals) && path.startsWith('/oauth/'));
      const shape = oauth ? 'oauth' : /GitlabError/.test(refusals) ? 'gitlab' : 'problem';
      const members = {
        oauth: 'error, error_description',
        gitlab: 'message',
        problem: 'type, title, status, detail, request_id',
      }[shape];
      const type = shape === 'problem' ? 'application/problem+json' : 'application/json';
      expect(
        [answer.status, answer.headers.get('content-type'), Object.keys((await answer.json()) as object).join(', ')],
        path,
      ).toEqual([405, type, members]);
      shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    }
    expect([...shapes.keys()].toSorted()).toEqual(['gitlab', 'oauth', 'problem']);
    const key = await fetch(`${service.url}/api/v4/projects/1/error_tracking/client_keys/1`, {
      headers: { 'private-token': scene.token },
    });
    expect([key.status, key.headers.get('allow'), await key.json()]).toEqual([
      405,
      'DELETE, OPTIONS',
      { message: '405 Method Not Allowed' },
    ]);
  });

  test('forbids browsers to guess its type', async () => {
    const { paths } = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as OpenApi;
    // Endless responses are requested without their body.
    const described = Object.keys(paths).filter((path) => paths[path]?.['get'] && path !== '/api/v4/events');
    const others = [
      '/',
      '/ui/',
      '/mark.svg',
      '/-/pages.css',
      '/api/openapi.json',
      '/api/docs',
      '/nothing/here',
      '/%zz',
      '/users/sign_in',
    ];
    const bare: string[] = [];
    for (const path of [...described, ...others]) {
      const answer = await get(path.replaceAll(/\{[^}]+\}/g, '1'));
      await answer.body?.cancel();
      if (answer.headers.get('x-content-type-options') !== 'nosniff') bare.push(`${answer.status} ${path}`);
    }
    expect(bare).toEqual([]);
    expect((await get('/api/docs')).headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(
      (await rawRequest({ port: service.port }, { path: '/', headers: { 'x-long': 'x'.repeat(20_000) } })).headers[
        'x-content-type-options'
      ],
    ).toBe('nosniff');
  });

  test('HEAD is answered as GET without the body; endless responses have none', async () => {
    for (const path of [
      '/-/health',
      '/-/readiness',
      '/api/v4/user',
      '/oauth/token/info',
      '/api/openapi.json',
      '/users/sign_in',
    ]) {
      const [whole, head] = [
        await get(path),
        await fetch(service.url + path, { method: 'HEAD', headers: { 'private-token': scene.token } }),
      ];
      expect([head.status, head.headers.get('content-type')], path).toEqual([200, whole.headers.get('content-type')]);
      expect(head.headers.get('content-length'), path).toBe(whole.headers.get('content-length'));
      expect(await head.text()).toBe('');
    }
    expect(
      (await fetch(`${service.url}/api/v4/events`, { method: 'HEAD', headers: { 'private-token': scene.token } }))
        .status,
    ).toBe(405);
  });

  test('routes of the window do not exist for anyone else, with any token', async () => {
    const routes = JSON.parse(await (await fetch(`${service.url}/api/openapi.json`)).text()) as OpenApi;
    const local = Object.entries(routes.paths).filter(([path]) => path.startsWith('/api/v4/local/'));
    expect(local.length).toBeGreaterThan(0);
    for (const [path, item] of local) {
      for (const method of Object.keys(item)) {
        const answer = await fetch(service.url + path.replace('{id}', 'x'), {
          // `fetch` converts only some methods to upper case, and PATCH is none of these.
          method: method.toUpperCase(),
          headers: {
            'private-token': scene.token,
            'x-benchport-launch-secret': service.launchSecret,
            ...(method === 'get' ? {} : { 'content-type': 'application/json' }),
          },
          ...(method === 'get' ? {} : { body: '{}' }),
        });
        expect(answer.status, `${method} ${path}`).toBe(404);
      }
    }
  });

  test('the state of the service hides paths of the machine', async () => {
    expect(await (await get('/api/v4/service')).json()).toMatchObject({
      version: '0.0.0-test',
      base_url: service.url,
      shared: false,
      data_dir: null,
    });
  });
});
