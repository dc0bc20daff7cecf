import { describe, expect, test } from 'vitest';
import type { ListedToken, PersonalAccessToken } from '../../../src-main/service/contract/accounts.ts';
import { openBeside } from '../fixture-measurement.ts';
import { list, startTokenWorld } from './token-world.ts';
import { useWorld } from '../use-service.ts';

const world = useWorld(startTokenWorld);

describe('the list', () => {
  test('U11 shows administrators the user of each token, and nobody else; no secret is shown', async () => {
    const ulla = await world.service.user('ulla');
    const token = await world.service.token(ulla, ['read_api']);
    const rows = async (query: string, as: string) =>
      (await (await world.api('GET', `${list}?${query}`, as)).json()) as ListedToken[];
    expect(await rows('user_id=ulla', world.adminToken)).toMatchObject([{ user_id: ulla, username: 'ulla' }]);
    const everybody = await rows('per_page=100', world.adminToken);
    expect(new Set(everybody.map(({ username }) => username))).toEqual(new Set(['steward', 'alice', 'ulla']));
    const own = await rows('', token);
    expect(own).toHaveLength(1);
    expect(own[0]).not.toHaveProperty('username');
    expect(JSON.stringify(everybody)).not.toContain('bppat-');
    expect((await world.api('GET', `${list}?user_id=steward`, token)).status).toBe(401);
  });

  test('takes every filter of GitLab, in SQL, with the total', async () => {
    const carol = await world.service.user('carol');
    const token = await world.service.token(carol, ['read_api']);
    const beside = openBeside(world.service);
    const add = beside.prepare(
      `INSERT INTO personal_access_tokens (user_id, name, name_key, scopes, token_hash, created_at, expires_at, revoked_at, last_used_at, family_id)
       VALUES (?, ?, ?, 'api', randomblob(32), ?, ?, ?, ?, 0)`,
    );
    const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
    add.run(carol, 'alpha', 'alpha', at('2026-01-01'), at('2099-01-01'), null, at('2026-02-01'));
    add.run(carol, 'Beta', 'beta', at('2026-01-02'), at('2026-02-02'), null, null);
    add.run(carol, 'gamma% Ö', 'gamma% Ö', at('2026-01-03'), at('2098-01-03'), at('2026-01-20'), at('2026-01-10'));
    beside.close();
    const names = async (query: string) => {
      const answer = await world.api('GET', `${list}?${query}`, token);
      expect(answer.status, query).toBe(200);
      const rows = (await answer.json()) as PersonalAccessToken[];
      expect(answer.headers.get('x-total'), query).toBe(String(rows.length));
      return rows.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['test', 'gamma% Ö', 'Beta', 'alpha']);
    expect(await names('revoked=true')).toEqual(['gamma% Ö']);
    expect(await names('revoked=false&search=a')).toEqual(['Beta', 'alpha']);
    expect(await names('search=%25')).toEqual(['gamma% Ö']);
    expect(await names('search=%C3%B6')).toEqual(['gamma% Ö']);
    expect(await names('state=active')).toEqual(['test', 'alpha']);
    expect(await names('state=inactive')).toEqual(['gamma% Ö', 'Beta']);
    expect(await names('created_after=2026-01-02T12:00:00Z&created_before=2026-02-01')).toEqual(['gamma% Ö']);
    expect(await names('created_before=2026-01-02T00:00:00%2B02:00')).toEqual(['alpha']);
    expect(await names('created_before=2026-01-02')).toEqual(['alpha']);
    expect(await names('created_after=2026-01-02&created_before=2026-02-01')).toEqual(['gamma% Ö']);
    expect(await names('expires_after=2026-03-01')).toEqual(['gamma% Ö', 'alpha']);
    expect(await names('expires_before=2026-03-01')).toEqual(['Beta']);
    expect(await names('last_used_after=2026-01-15&last_used_before=2026-03-01')).toEqual(['alpha']);
    expect(await names('sort=name_asc&search=a')).toEqual(['alpha', 'Beta', 'gamma% Ö']);
    expect(await names('sort=name_desc&search=a')).toEqual(['gamma% Ö', 'Beta', 'alpha']);
    expect(await names('sort=created_asc&created_before=2026-02-01')).toEqual(['alpha', 'Beta', 'gamma% Ö']);
    expect(await names('sort=expires_asc')).toEqual(['Beta', 'gamma% Ö', 'alpha', 'test']);
    expect(await names('sort=expires_desc')).toEqual(['test', 'alpha', 'gamma% Ö', 'Beta']);
    expect(await names('sort=last_used_desc&search=a')).toEqual(['alpha', 'gamma% Ö', 'Beta']);
    expect(await names('sort=last_used_asc&search=a')).toEqual(['Beta', 'gamma% Ö', 'alpha']);
    const page = await world.api('GET', `${list}?per_page=2&page=2&sort=name_asc`, token);
    expect(((await page.json()) as PersonalAccessToken[]).map(({ name }) => name)).toEqual(['gamma% Ö', 'test']);
    expect(
      Object.fromEntries(
        ['x-total', 'x-total-pages', 'x-page', 'x-per-page', 'x-next-page', 'x-prev-page'].map((name) => [
          name,
          page.headers.get(name),
        ]),
      ),
    ).toEqual({
      'x-total': '4',
      'x-total-pages': '2',
      'x-page': '2',
      'x-per-page': '2',
      'x-next-page': '',
      'x-prev-page': '1',
    });
    for (const query of [
      'revoked=maybe',
      'sort=size',
      'created_after=yesterday',
      'created_after=2026-02-30',
      'expires_before=2026-01-01T99:00:00Z',
      'user_id=',
    ]) {
      expect((await world.api('GET', `${list}?${query}`, token)).status, query).toBe(400);
    }
  });

  test('S92 shows an administrator all tokens or those of one user, and others only their own', async () => {
    await world.service.token(world.bob, ['api']);
    const users = async (query: string, token: string) =>
      new Set(
        ((await (await world.api('GET', `${list}?per_page=100&${query}`, token)).json()) as PersonalAccessToken[]).map(
          (row) => row.user_id,
        ),
      );
    expect(await users('', world.adminToken)).toContain(world.alice);
    expect(await users('', world.adminToken)).toContain(world.bob);
    expect(await users(`user_id=${world.bob}`, world.adminToken)).toEqual(new Set([world.bob]));
    expect(await users('user_id=bob', world.adminToken)).toEqual(new Set([world.bob]));
    expect(await users('', world.aliceToken)).toEqual(new Set([world.alice]));
    expect(await users(`user_id=${world.alice}`, world.aliceToken)).toEqual(new Set([world.alice]));
    expect((await world.api('GET', `${list}?user_id=999999`, world.adminToken)).status).toBe(404);
    const [foreign, missing] = [
      await world.api('GET', `${list}?user_id=${world.bob}`, world.aliceToken),
      await world.api('GET', `${list}?user_id=999999`, world.aliceToken),
    ];
    expect([foreign.status, missing.status]).toEqual([401, 401]);
    expect(await foreign.text()).toBe(await missing.text());
  });
});
