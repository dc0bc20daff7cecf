import { beforeAll, describe, expect, test } from 'vitest';
import type { CreatedToken } from '../../../src-main/service/contract/accounts.ts';
import { browserAt, csrfOf, type Browser } from '../browser.ts';
import { openBeside } from '../fixture-measurement.ts';
import { list, password, inDays, startTokenWorld } from './token-world.ts';
import { useWorld } from '../use-service.ts';

const world = useWorld(startTokenWorld);

const rotated = async (answer: Response) => {
  expect(answer.status).toBe(200);
  return (await answer.json()) as CreatedToken;
};

describe('rotation', () => {
  test('S90 the old token is revoked; the new one is shown once, works, and keeps name and scopes', async () => {
    const old = await world.service.token(world.alice, ['read_user', 'self_rotate']);
    const id = await world.idOf(old);
    const next = await rotated(await world.api('POST', `${list}/self/rotate`, old, { expires_at: inDays(20) }));
    expect(next).toMatchObject({
      name: 'test',
      scopes: ['read_user', 'self_rotate'],
      user_id: world.alice,
      active: true,
      expires_at: inDays(20),
      last_used_at: null,
    });
    expect(next.id).toBeGreaterThan(id);
    expect(await world.works(next.token)).toBe(true);
    expect(await (await world.api('GET', `${list}/${id}`, world.aliceToken)).json()).toMatchObject({
      revoked: true,
      active: false,
    });
    expect(await (await world.api('GET', `${list}?per_page=100`, world.aliceToken)).text()).not.toContain('bppat-');
    expect(world.auditOf(`token:${id}`)).toEqual([
      {
        action: 'token.rotate',
        user_id: world.alice,
        address: '127.0.0.1',
        detail: `of user:${world.alice}, replaced by token:${next.id}`,
      },
    ]);
    expect((await world.api('GET', '/api/v4/user', old)).status).toBe(401);
  });

  test('S90 using a rotated token ends its whole family, once, and nothing else', async () => {
    const first = await world.service.token(world.alice, ['api']);
    const second = await rotated(await world.api('POST', `${list}/self/rotate`, first));
    const third = await rotated(await world.api('POST', `${list}/self/rotate`, second.token));
    expect(await world.works(third.token)).toBe(true);
    for (let i = 0; i < 3; i += 1) expect((await world.api('GET', '/api/v4/user', first)).status).toBe(401);
    expect(await world.works(third.token)).toBe(false);
    expect(await world.works(world.aliceToken)).toBe(true);
    const rows = (await world.service.services.tokens.ofUser(world.alice)).filter(
      (row) => row.family_id === second.id - 1,
    );
    expect(rows).toHaveLength(3);
    const reuse = rows
      .flatMap((row) => world.auditOf(`token:${row.id}`))
      .filter(({ action }) => action === 'token.reuse');
    expect(reuse).toEqual([
      {
        action: 'token.reuse',
        user_id: null,
        address: '127.0.0.1',
        detail: expect.stringContaining(`of user:${world.alice}`),
      },
    ]);
  });

  test('S90 rotating a revoked token by its number ends its family', async () => {
    const first = await world.service.token(world.alice, ['api']);
    const id = await world.idOf(first);
    const next = await rotated(await world.api('POST', `${list}/${id}/rotate`, world.aliceToken));
    const again = await world.api('POST', `${list}/${id}/rotate`, world.aliceToken);
    expect(again.status).toBe(400);
    expect(await again.json()).toEqual({ message: expect.stringContaining('already revoked') });
    expect(await world.works(next.token)).toBe(false);
    expect(world.auditOf(`token:${id}`).map(({ action }) => action)).toEqual(['token.rotate', 'token.reuse']);
  });

  test('S90 fifty rotations of one token at once give at most one that works', async () => {
    const first = await world.service.token(world.alice, ['api']);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.api('POST', `${list}/self/rotate`, first)),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 400 || status === 401)).toBe(true);
  });

  test('S90 an expired token does not end its family', async () => {
    const first = await world.service.token(world.alice, ['api'], Date.now() + 1500);
    const next = await rotated(await world.api('POST', `${list}/self/rotate`, first));
    await new Promise((resolve) => setTimeout(resolve, 1600));
    expect(await world.works(first)).toBe(false);
    expect(await world.works(next.token)).toBe(true);
  });

  test('gives a week unless a day is requested, in the body or in the query, and a year at most', async () => {
    const old = await world.service.token(world.alice, ['self_rotate']);
    const week = await rotated(await world.api('POST', `${list}/self/rotate`, old));
    expect(week.expires_at).toBe(inDays(7));
    const byQuery = await rotated(await world.api('POST', `${list}/self/rotate?expires_at=${inDays(3)}`, week.token));
    expect(byQuery.expires_at).toBe(inDays(3));
    const form = await fetch(`${world.service.url}${list}/self/rotate`, {
      method: 'POST',
      headers: { 'private-token': byQuery.token },
      body: new URLSearchParams({ expires_at: inDays(4) }),
    });
    const byForm = await rotated(form);
    expect(byForm.expires_at).toBe(inDays(4));
    for (const day of [inDays(0), inDays(366), '2031-02-30', 'soon']) {
      expect((await world.api('POST', `${list}/self/rotate`, byForm.token, { expires_at: day })).status, day).toBe(400);
    }
    expect(
      (await rotated(await world.api('POST', `${list}/self/rotate`, byForm.token, { expires_at: inDays(365) })))
        .expires_at,
    ).toBe(inDays(365));
  });

  test('S93 needs self_rotate for itself and api for others, and never widens scopes', async () => {
    const reader = await world.service.token(world.alice, ['read_api']);
    const refused = await world.api('POST', `${list}/self/rotate`, reader);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: 'insufficient_scope', scope: 'api self_rotate' });
    const rotator = await world.service.token(world.alice, ['read_user', 'self_rotate']);
    const other = await world.api('POST', `${list}/${await world.idOf(reader)}/rotate`, rotator);
    expect(other.status).toBe(403);
    expect(await other.json()).toMatchObject({ error: 'insufficient_scope', scope: 'api' });
    const wider = await world.api('POST', `${list}/self/rotate`, rotator, { scopes: ['api'] });
    expect(wider.status).toBe(400);
    expect(await world.works(reader)).toBe(true);
  });

  test("S92 of another user's token is refused as if it did not exist", async () => {
    const answers = [
      await world.api(
        'POST',
        `${list}/${await world.idOf(world.aliceToken)}/rotate`,
        await world.service.token(world.bob, ['api']),
      ),
    ];
    answers.push(await world.api('POST', `${list}/999999/rotate`, await world.service.token(world.bob, ['api'])));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    const [foreign, missing] = await Promise.all(answers.map((answer) => answer.text()));
    expect(foreign).toBe(missing);
    expect(await world.works(world.aliceToken)).toBe(true);
    const bobs = await world.service.token(world.bob, ['read_user']);
    expect(
      (await rotated(await world.api('POST', `${list}/${await world.idOf(bobs)}/rotate`, world.adminToken))).user_id,
    ).toBe(world.bob);
    expect((await world.api('POST', `${list}/999999/rotate`, world.adminToken)).status).toBe(404);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  let csrf: string;
  beforeAll(async () => {
    browser = browserAt(world.service);
    await browser.signIn('alice', password);
    csrf = await csrfOf(browser);
  });
  const send = (method: string, path: string, body: object) =>
    browser.send(method, path, body, { 'x-csrf-token': csrf });

  test('S100 creating and rotating a token need a recent confirmation', async () => {
    const path = '/api/v4/user/personal_access_tokens';
    const answer = await send('POST', path, { name: 'fresh', scopes: ['read_api'] });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as CreatedToken;
    const beside = openBeside(world.service);
    beside
      .prepare('UPDATE sessions SET confirmed_at = ? WHERE user_id = ?')
      .run(Date.now() - 15 * 60_000 - 1, world.alice);
    beside.close();
    for (const refused of [
      await send('POST', path, { name: 'late', scopes: ['read_api'] }),
      await send('POST', `${list}/${id}/rotate`, {}),
    ]) {
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({
        type: 'urn:benchport:problem:confirmation-needed',
        message: expect.stringContaining('403 Forbidden'),
      });
    }
    // A wrong field is reported first.
    for (const [url, body, why] of [
      [path, { name: ' ', scopes: ['read_api'] }, 'Give the token a name'],
      [path, { name: 'x\u202ey', scopes: ['read_api'] }, 'The name of the token'],
      [path, { name: 'x', scopes: ['read_api'], expires_at: '2020-01-01' }, 'would never work'],
      [`${list}/${id}/rotate`, { expires_at: '2020-01-01' }, 'would never work'],
    ] as const) {
      const refused = await send('POST', url, body);
      expect([url, refused.status, await refused.text()]).toEqual([url, 400, expect.stringContaining(why)]);
    }
    expect((await send('DELETE', `${list}/${id}`, {})).status).toBe(204);
  });
});
