import { describe, expect, test } from 'vitest';
import { useFreshService } from '../use-service.ts';
import { browserAt, csrfOf } from '../browser.ts';
import { windowRequest } from '../raw-request.ts';

const service = useFreshService();

const alice = { username: 'alice', name: 'Alice', password: 'a long password' };
const post = (body: unknown, query = `?code=${service.setupCode}`) =>
  browserAt(service).send('POST', `/api/v4/setup${query}`, body);

describe('first run in a browser', () => {
  test('creates the owner with the code and signs the browser in', async () => {
    const browser = browserAt(service);
    expect(await (await browser.get('/api/v4/session')).json()).toMatchObject({
      user: null,
      door: 'browser',
      needs_setup: true,
      suggested_username: '',
    });
    const answer = await browser.send('POST', `/api/v4/setup?code=${service.setupCode}`, alice);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      user: { username: 'alice', is_admin: true },
      needs_setup: false,
      csrf_token: expect.any(String),
    });
    expect(answer.headers.getSetCookie().join()).toMatch(/benchport_session=[0-9a-f]{64};.*HttpOnly;.*SameSite=Lax/);
    expect(await (await browser.get('/api/v4/user')).json()).toMatchObject({ username: 'alice' });
    const made = await browser.send(
      'POST',
      '/api/v4/user/personal_access_tokens',
      { name: 'x', scopes: ['api'] },
      { 'x-csrf-token': await csrfOf(browser) },
    );
    expect(made.status).toBe(201);
    expect((await windowRequest(service, 'GET', '/api/v4/user')).body).toContain('"alice"');
  });

  test.each([
    ['no code', '', 403],
    ['a wrong code', '?code=00000000000000000000000000000000', 403],
    ['a code of another length', '?code=1', 403],
    ['two codes', '?code=a&code=b', 400],
  ])('refuses %s', async (_name, query, status) => {
    const answer = await post(alice, query);
    expect(answer.status).toBe(status);
    expect(await service.services.users.isEmpty()).toBe(true);
  });

  test('limits guesses of the code', async () => {
    const answers = [];
    for (let i = 0; i < 21; i += 1) answers.push(await post(alice, `?code=${'0'.repeat(32)}`));
    expect(answers.at(-1)?.status).toBe(429);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test.each([
    ['no password', { username: 'alice', name: 'Alice' }, 'password'],
    ['a short password', { ...alice, password: 'short' }, 'body.password must not have fewer than 8 characters'],
    [
      'a long password',
      { ...alice, password: 'x'.repeat(129) },
      'body.password must not have more than 128 characters',
    ],
    ['a bad user name', { ...alice, username: 'a b' }, 'body.username'],
    ['a wrong type', { ...alice, name: 5 }, 'body.name must be string'],
    ['an unknown member', { ...alice, is_admin: false }, 'unknown members: is_admin'],
    ['a list', [alice], 'body must be object'],
    ['nothing', null, 'body must be object'],
  ])('refuses %s and says so', async (_name, body, words) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining(words),
      request_id: expect.any(String),
    });
    expect(await service.services.users.isEmpty()).toBe(true);
  });

  test('of several at once exactly one succeeds', async () => {
    const answers = await Promise.all(['alice', 'bob', 'third'].map((username) => post({ ...alice, username })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await service.services.users.all()).toHaveLength(1);
  });

  test('is over for good once there is an account', async () => {
    expect((await post(alice)).status).toBe(201);
    expect((await post({ ...alice, username: 'bob' })).status).toBe(409);
    expect(await service.services.users.all()).toHaveLength(1);
  });
});

describe('first run in the window', () => {
  test('needs neither code nor password', async () => {
    const session = JSON.parse((await windowRequest(service, 'GET', '/api/v4/session')).body) as {
      suggested_username: string;
      door: string;
      needs_setup: boolean;
    };
    expect(session).toMatchObject({ door: 'window', needs_setup: true });
    expect(session.suggested_username).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/);
    const answer = await windowRequest(service, 'POST', '/api/v4/setup', { username: 'alice', name: 'Alice' });
    expect(answer.status).toBe(201);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(JSON.parse(answer.body)).toMatchObject({ user: { username: 'alice', is_admin: true }, csrf_token: null });
  });

  test('a wrong launch secret does not count as the window', async () => {
    expect(
      (
        await windowRequest(
          service,
          'POST',
          '/api/v4/setup',
          { username: 'alice', name: 'Alice' },
          'a-secret-of-that-test-launch',
        )
      ).status,
    ).toBe(403);
    expect((await windowRequest(service, 'GET', '/api/v4/user', undefined, 'wrong')).status).toBe(401);
  });

  test('the right launch secret has no effect on the public listener', async () => {
    const answer = await fetch(`${service.url}/api/v4/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-benchport-launch-secret': service.launchSecret },
      body: JSON.stringify({ username: 'alice', name: 'Alice' }),
    });
    expect(answer.status).toBe(403);
  });
});
