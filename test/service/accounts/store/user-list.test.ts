import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { userListStore } from '../../../../src-main/service/accounts/store/user-list-store.ts';
import { usersStore } from '../../../../src-main/service/accounts/store/users-store.ts';
import { migrate } from '../../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../../src-main/service/database/migrations/all.ts';
import { textFinder } from '../../../../src-main/service/database/text-search.ts';
import { tokensStore } from '../../../../src-main/service/tokens/tokens-store.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';

const statements: string[] = [];
const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
migrate(database, migrations, '');
const people = 2300;
database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${people})
  INSERT INTO users (username, name, email, email_key, state, created_at, current_sign_in_at)
    SELECT 'u' || (i * 7919 % 10007), iif(i % 5 = 0, 'Grö' || i || 'ße', 'Name ' || i), iif(i % 3 = 0, NULL, 'e' || i || '@lab'), iif(i % 3 = 0, NULL, 'e' || i || '@lab'),
      iif(i % 7 = 0, 'blocked', 'active'), i % 50, iif(i % 4 = 0, NULL, i % 90) FROM n;
  INSERT INTO personal_access_tokens (user_id, name, name_key, scopes, token_hash, created_at, expires_at, revoked_at, last_used_at, family_id)
    SELECT iif(id % 9 = 0, 7, id), name, folded_key(name), 'api', CAST('h' || id AS BLOB), created_at, iif(id % 4 = 0, NULL, 1000 + id % 11), iif(id % 40 = 0, 5, NULL),
      iif(id % 3 = 0, NULL, 1 + id * 7919 % 400), id FROM (SELECT id, created_at, iif(id % 6 = 0, 'ci', 'Prüf ' || id) AS name FROM users)`);
interface User {
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly state: string;
  readonly created_at: number;
  readonly current_sign_in_at: number | null;
}
const everybody = database.prepare<[], User>('SELECT * FROM users').all();
const store = usersStore(storeContext(database).database);
const keys = {
  username: () => 0,
  state: (user: User) => user.state,
  created_at: (user: User) => user.created_at,
  last_sign_in_at: (user: User) => user.current_sign_in_at ?? 0,
};

it.each(['username', 'state', 'created_at', 'last_sign_in_at'] as const)(
  'S1: accounts by %s come out of an index as if they were sorted',
  async (sort) => {
    for (const order of ['asc', 'desc'] as const) {
      for (const state of [null, 'active', 'blocked'] as const) {
        for (const search of ['', 'größe', '12', 'E7', 'nobody']) {
          const finds = textFinder(search);
          const sign = order === 'asc' ? 1 : -1;
          const expected = everybody
            .filter(
              (user) =>
                (state === null || user.state === state) && [user.username, user.name, user.email ?? ''].some(finds),
            )
            .toSorted((a, b) => {
              const [one, other] = [keys[sort](a), keys[sort](b)];
              return sign * (one < other ? -1 : one > other ? 1 : a.username < b.username ? -1 : 1);
            })
            .map(({ username }) => username);
          statements.length = 0;
          const page = await store.page({ search, state }, { sort, order }, 20, 40);
          const reading = statements.filter((sql) => sql.includes('INDEXED BY'));
          expect(page.rows.map(({ username }) => username)).toEqual(expected.slice(40, 60));
          expect(page.total).toEqual({ count: expected.length, complete: true });
          const plans = reading.flatMap((sql) =>
            database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(),
          );
          expect(reading.length).toBeGreaterThan(0);
          expect(plans.map(({ detail }) => detail).join('\n')).not.toMatch(/SCAN users|TEMP B-TREE/);
        }
      }
    }
  },
);

it('S1: a search by last sign-in starts each step behind the last user, though thousands have never signed in', async () => {
  statements.length = 0;
  await store.page({ search: 'nobody', state: null }, { sort: 'last_sign_in_at', order: 'asc' }, 20, 0);
  const behind = statements.filter((sql) => sql.includes('INDEXED BY') && sql.includes(`'u`));
  const plans = behind.flatMap((sql) => database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all());
  const searches = plans.filter(({ detail }) => detail.startsWith('SEARCH'));
  expect(searches.length).toBeGreaterThan(0);
  for (const { detail } of searches) expect(detail).toContain('<expr>=? AND username>?');
});

it('S1: the list for everyone and the search of tokens return what a full scan returns', async () => {
  const finds = textFinder('GRÖ1');
  const fitting = everybody
    .filter((user) => user.state === 'active' && [user.username, user.name].some(finds))
    .map(({ username }) => username);
  const page = await userListStore(storeContext(database).database).page(
    { search: 'GRÖ1', byEmail: false, active: true, blocked: false },
    15,
    0,
  );
  expect(page.rows.map(({ username }) => username)).toEqual(fitting.toSorted().slice(0, 15));
  expect(page.total).toEqual({ count: fitting.length, complete: true });
  const tokens = await tokensStore(storeContext(database).database).list({ search: 'PRÜF 22' }, 'name_asc', 10, 0);
  const named = Array.from({ length: people }, (_, at) => ((at + 1) % 6 === 0 ? 'ci' : `Prüf ${at + 1}`)).filter(
    (name) => name.includes('Prüf 22'),
  );
  expect(tokens.rows.map(({ name }) => name)).toEqual(named.toSorted().slice(0, 10));
  expect(tokens.total).toEqual({ count: named.length, complete: true });
});

it('S1: tokens sorted by name are read from an index, case-insensitively for all letters', async () => {
  const tokens = tokensStore(storeContext(database).database);
  const token = (name: string) => ({
    userId: 1,
    name,
    description: '',
    scopes: ['api'],
    tokenHash: Buffer.from(name),
    expiresAt: null,
  });
  for (const name of ['überlauf b', 'ÜBERLAUF c', 'Überlauf a']) await tokens.create(token(name));
  await tokens.rotate((await tokens.create(token('überLAUF d'))).id, { tokenHash: Buffer.from('next'), expiresAt: 1 });
  statements.length = 0;
  const { rows } = await tokens.list({}, 'name_desc', 5, 0);
  expect(rows.map(({ name }) => name)).toEqual(['überLAUF d', 'überLAUF d', 'ÜBERLAUF c', 'überlauf b', 'Überlauf a']);
  const reading = statements.filter((sql) => sql.includes('ORDER BY'));
  const plans = reading.flatMap((sql) => database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all());
  expect(plans.map(({ detail }) => detail).join('\n')).toContain('USING COVERING INDEX tokens_by_name');
});

interface Token {
  readonly id: number;
  readonly user_id: number;
  readonly name_key: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}
const keyOf = {
  created: (token: Token) => token.created_at,
  expires: (token: Token) => token.expires_at ?? Number.POSITIVE_INFINITY,
  last_used: (token: Token) => token.last_used_at ?? 0,
  name: (token: Token) => token.name_key,
};
const inactive = (token: Token) => token.revoked_at !== null || (token.expires_at !== null && token.expires_at <= 1005);

it.each(['created', 'expires', 'last_used', 'name'] as const)(
  'S1: tokens by %s come out of an index as if they were sorted, with each filter',
  async (by) => {
    const tokens = database.prepare<[], Token>('SELECT * FROM personal_access_tokens').all();
    for (const direction of ['asc', 'desc'] as const) {
      const sign = direction === 'asc' ? 1 : -1;
      for (const [filter, fits] of [
        [{}, () => true],
        [{ active: { is: true, at: 1005 } }, (token: Token) => !inactive(token)],
        [{ active: { is: false, at: 1005 } }, inactive],
        [{ revoked: true }, (token: Token) => token.revoked_at !== null],
        [{ search: 'CI' }, (token: Token) => token.name_key === 'ci'],
        [
          { lastUsedAfter: 100, lastUsedBefore: 103 },
          (token: Token) => token.last_used_at === 101 || token.last_used_at === 102,
        ],
        [{ userId: 7 }, (token: Token) => token.user_id === 7],
      ] as const) {
        const expected = tokens.filter(fits).toSorted((a, b) => {
          const [one, other] = [keyOf[by](a), keyOf[by](b)];
          const newestFirst = by === 'created' && direction === 'asc' ? a.id - b.id : b.id - a.id;
          return one < other ? -sign : one > other ? sign : newestFirst;
        });
        statements.length = 0;
        const offset = Math.min(30, Math.max(0, expected.length - 20));
        const page = await tokensStore(storeContext(database).database).list(filter, `${by}_${direction}`, 20, offset);
        const reading = statements.filter((sql) => sql.includes('INDEXED BY') && !sql.includes('tokens_of_user'));
        expect(page.rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 20).map(({ id }) => id));
        expect(page.total).toEqual({ count: expected.length, complete: true });
        const plans = reading.flatMap((sql) =>
          database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(),
        );
        expect(plans.map(({ detail }) => detail).join('\n')).not.toMatch(/TEMP B-TREE/);
        expect(reading.length > 0).toBe(!('userId' in filter));
      }
    }
  },
);
