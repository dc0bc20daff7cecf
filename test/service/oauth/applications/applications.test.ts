import { openBeside } from '../../fixture-measurement.ts';
import { describe, expect, test } from 'vitest';
import { asWindow } from '../../as-window.ts';
import { browserAt, type Browser } from '../../browser.ts';
import { callback } from '../authorize-fixture.ts';
import { path, plotter, useApplications } from './applications-scene.ts';

const scene = useApplications();
const { provider, created, list, send } = scene;

/** Makes the last confirmation older than 15 minutes. */
async function forget(browser: Browser): Promise<void> {
  const row = await provider.services.sessions.row(browser.cookies.get('benchport_session') ?? '');
  const database = openBeside(provider);
  database.prepare('UPDATE sessions SET confirmed_at = 0 WHERE id = ?').run(row?.id);
  database.close();
}
describe('registering', () => {
  test('answers with a client id and, once, the secret; public applications have none', async () => {
    const application = await created(scene.bob, { device_grant: true });
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
    expect((await created(scene.bob, { confidential: false })).client_secret).toBeNull();
    const texts = JSON.stringify([
      await list(scene.bob),
      (await send(scene.bob, 'PATCH', `${path}/${application.id}`, { name: 'P' })).body,
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
    const { status, body, type } = await send(scene.bob, 'POST', path, { ...plotter, ...wish });
    expect(status).toBe(400);
    expect(type).toContain('application/problem+json');
    expect(body['detail']).toContain(word);
  });

  test('accepts an application without redirect URIs if it has the device grant', async () => {
    expect((await created(scene.bob, { redirect_uris: [], device_grant: true })).redirect_uris).toEqual([]);
  });

  test('S35 trust comes from administrators only', async () => {
    expect((await send(scene.bob, 'POST', path, { ...plotter, trusted: true })).status).toBe(403);
    const own = await created(scene.bob);
    expect((await send(scene.bob, 'PATCH', `${path}/${own.id}`, { trusted: true })).status).toBe(403);
    expect((await send(scene.alice, 'PATCH', `${path}/${own.id}`, { trusted: true })).body).toMatchObject({
      trusted: true,
    });
    // An application that skips consent must not choose its own scopes.
    for (const change of [{ redirect_uris: ['https://evil.example/cb'] }, { scopes: ['api'] }, { name: 'Other' }]) {
      expect((await send(scene.bob, 'PATCH', `${path}/${own.id}`, change)).status).toBe(403);
    }
    expect((await send(scene.alice, 'PATCH', `${path}/${own.id}`, { trusted: false })).body).toMatchObject({
      trusted: false,
    });
  });

  test('S100 registering and renewing a secret need a recent confirmation; tokens cannot do it', async () => {
    const { id } = await created(scene.bob);
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
    await forget(scene.bob);
    for (const [url, body] of [
      [path, plotter],
      [`${path}/${id}/renew_secret`, undefined],
    ] as const) {
      const answer = await send(scene.bob, 'POST', url, body);
      expect(answer.status).toBe(403);
      expect(answer.body['type']).toBe('urn:benchport:problem:confirmation-needed');
    }
    await forget(scene.alice);
    expect(
      (await send(scene.alice, 'POST', '/api/v4/applications', { name: 'x', redirect_uri: callback, scopes: 'api' }))
        .status,
    ).toBe(403);
    [scene.alice, scene.bob] = [await provider.signedIn('alice'), await provider.signedIn('bob')];
  });

  test('invalid input is refused before a password is required', async () => {
    const { id } = await created(scene.bob);
    await forget(scene.bob);
    await forget(scene.alice);
    const wrong = { redirect_uris: ['http://app.example/cb'] };
    for (const [browser, method, url, body] of [
      [scene.bob, 'POST', path, { ...plotter, ...wrong }],
      [scene.bob, 'PATCH', `${path}/${id}`, wrong],
      [
        scene.alice,
        'POST',
        '/api/v4/applications',
        { name: 'x', redirect_uri: 'http://app.example/cb', scopes: 'api' },
      ],
    ] as const) {
      const answer = await send(browser, method, url, body);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain('https');
    }
    const right = await send(scene.bob, 'PATCH', `${path}/${id}`, { redirect_uris: [callback] });
    expect(right.body['type']).toBe('urn:benchport:problem:confirmation-needed');
    [scene.alice, scene.bob] = [await provider.signedIn('alice'), await provider.signedIn('bob')];
  });

  test('the window needs no confirmation', async () => {
    expect((await asWindow(provider, 'POST', path, plotter)).status).toBe(201);
  });
});

describe('access to an application', () => {
  test('is limited to its owner and administrators; others do not see it', async () => {
    const application = await created(scene.alice);
    expect((await list(scene.bob)).map(({ id }) => id)).not.toContain(application.id);
    expect((await send(scene.bob, 'GET', `${path}?all=true`)).status).toBe(403);
    for (const [method, url, body] of [
      ['PATCH', `${path}/${application.id}`, { name: 'mine' }],
      ['DELETE', `${path}/${application.id}`, undefined],
      ['POST', `${path}/${application.id}/renew_secret`, undefined],
    ] as const) {
      const foreign = await send(scene.bob, method, url, body);
      const missing = await send(scene.bob, method, url.replace(String(application.id), '99999'), body);
      expect(foreign.status).toBe(404);
      expect(foreign.body['detail']).toBe(missing.body['detail']);
    }
    const own = await created(scene.bob);
    expect((await list(scene.alice, '?all=true')).map(({ id }) => id)).toContain(own.id);
    expect((await list(scene.alice)).map(({ id }) => id)).not.toContain(own.id);
    expect((await send(scene.alice, 'DELETE', `${path}/${own.id}`)).status).toBe(204);
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
    const { id } = await created(scene.bob);
    const { body } = await send(scene.bob, 'PATCH', `${path}/${id}`, {
      name: ' New ',
      redirect_uris: [callback, callback, 'com.example.app:/cb'],
    });
    expect(body).toMatchObject({
      name: 'New',
      redirect_uris: [callback, 'com.example.app:/cb'],
      scopes: ['read_user'],
      confidential: true,
    });
    expect((await send(scene.bob, 'PATCH', `${path}/${id}`, { confidential: false })).status).toBe(400);
    expect((await send(scene.bob, 'PATCH', `${path}/${id}`, { redirect_uris: ['file:///x'] })).status).toBe(400);
    expect((await send(scene.bob, 'PATCH', `${path}/${id}`, { redirect_uris: [] })).status).toBe(400);
  });
});
