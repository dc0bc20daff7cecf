import { describe, expect, test } from 'vitest';
import type { PersonalAccessToken } from '../../../src-main/service/contract/accounts.ts';
import { inDays, list } from './token-world.ts';
import { windowRequest } from '../raw-request.ts';
import { create, startTokenUsers } from './token-users.ts';
import { useWorld } from '../use-service.ts';

const world = useWorld(startTokenUsers);

const get = (path: string, token: string) =>
  fetch(world.service.url + path, { headers: { authorization: `Bearer ${token}` } });
const make = (body: unknown) => world.alice.send('POST', create, body, { 'x-csrf-token': world.csrf });

describe('creating', () => {
  const tomorrow = inDays(1);
  const today = inDays(0);

  test('takes an expiry day, and returns it', async () => {
    expect(
      await (await make({ name: 'x', scopes: ['api'], expires_at: tomorrow, description: 'for bench 3' })).json(),
    ).toMatchObject({
      expires_at: tomorrow,
      description: 'for bench 3',
    });
    expect(await (await make({ name: 'x', scopes: ['api'], expires_at: null })).json()).toMatchObject({
      expires_at: inDays(365),
    });
  });

  test('takes a repeated scope once', async () => {
    expect(await (await make({ name: 'x', scopes: ['api', 'read_api', 'api'] })).json()).toMatchObject({
      scopes: ['api', 'read_api'],
    });
  });

  test.each([
    ['today, which has begun', { name: 'x', scopes: ['api'], expires_at: today }, 'would never work'],
    ['a past day', { name: 'x', scopes: ['api'], expires_at: '2020-01-01' }, 'would never work'],
    [
      'a day more than a year off',
      { name: 'x', scopes: ['api'], expires_at: inDays(366) },
      'A token can live 365 days',
    ],
    ['no day of the calendar', { name: 'x', scopes: ['api'], expires_at: '2031-02-30' }, '2031-02-30 is not a date'],
    ['a time instead of a day', { name: 'x', scopes: ['api'], expires_at: '2031-02-03T00:00:00Z' }, 'expires_at'],
    ['an unknown scope', { name: 'x', scopes: ['api', 'sudo'] }, 'sudo'],
    ['no scope', { name: 'x', scopes: [] }, 'scopes'],
    ['more scopes than there could be', { name: 'x', scopes: Array.from({ length: 101 }, () => 'api') }, 'scopes'],
    ['scopes as text', { name: 'x', scopes: 'api' }, 'scopes must be array'],
    ['no name', { scopes: ['api'] }, 'lacks name'],
    ['an empty name', { name: '', scopes: ['api'] }, 'name'],
    ['a blank name', { name: '   ', scopes: ['api'] }, 'name'],
    ['a long name', { name: 'x'.repeat(256), scopes: ['api'] }, 'name'],
    ['a number for a name', { name: 5, scopes: ['api'] }, 'name must be string'],
    ['an unknown member', { name: 'x', scopes: ['api'], user_id: 1 }, 'user_id'],
    ['a list', [], 'body must be object'],
  ])('refuses %s and names it', async (_name, body, words) => {
    const answer = await make(body);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { message: string }).message).toContain(words);
  });

  test('refuses bodies that are not JSON, incomplete, or too long', async () => {
    const send = (body: string, type: string) =>
      fetch(world.service.url + create, {
        method: 'POST',
        body,
        headers: {
          'content-type': type,
          'x-csrf-token': world.csrf,
          cookie: `benchport_session=${world.alice.cookies.get('benchport_session')}`,
        },
      });
    expect((await send('{"name":', 'application/json')).status).toBe(400);
    expect((await send('<x/>', 'application/xml')).status).toBe(415);
    expect((await send(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 'application/json')).status).toBe(413);
  });

  test('works in the window without a CSRF token', async () => {
    const answer = await windowRequest(world.service, 'POST', create, { name: 'from the window', scopes: ['api'] });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({
      user_id: (await world.service.services.users.byUsername('steward'))?.id,
    });
  });
});

describe('the list', () => {
  test("is paged with GitLab's headers", async () => {
    for (let i = 0; i < 3; i += 1) await world.service.token(world.bobId);
    const token = await world.service.token(world.bobId);
    const answer = await get(`${list}?per_page=2&page=1&search=TEST`, token);
    const total = Number(answer.headers.get('x-total'));
    expect(total).toBeGreaterThanOrEqual(4);
    expect(((await answer.json()) as unknown[]).length).toBe(2);
    expect(answer.headers.get('x-page')).toBe('1');
    expect(answer.headers.get('x-next-page')).toBe('2');
    expect(answer.headers.get('link')).toContain(
      `<${world.service.url}${list}?per_page=2&page=2&search=TEST>; rel="next"`,
    );
    expect(await (await get(`${list}?page=100`, token)).json()).toEqual([]);
    // Page numbers end at 10,000 entries.
    expect((await get(`${list}?page=1000000`, token)).status).toBe(400);
  });

  test('can show the active ones alone', async () => {
    const token = await world.service.token(world.bobId);
    await world.service.token(world.bobId, ['api'], Date.now());
    const states = async (state: string) =>
      ((await (await get(`${list}?per_page=100&state=${state}`, token)).json()) as PersonalAccessToken[]).map(
        ({ active }) => active,
      );
    expect(new Set(await states('active'))).toEqual(new Set([true]));
    expect(new Set(await states('inactive'))).toEqual(new Set([false]));
  });

  test.each([
    'page=0',
    'page=x',
    'page=1.5',
    'page=-1',
    'page=1&page=2',
    'per_page=0',
    'per_page=many',
    'page=99999999999999999999',
    'state=old',
    `search=${'x'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    expect((await get(`${list}?${query}`, world.adminToken)).status).toBe(400);
  });

  test.each(['0', '-1', '1e3', 'x', '99999999999999999999', 'self%00'])('there is no token %s', async (id) => {
    expect((await get(`${list}/${id}`, world.adminToken)).status).toBe(400);
  });

  test('"self" needs a token', async () => {
    expect((await world.alice.get(`${list}/self`)).status).toBe(400);
  });
});
