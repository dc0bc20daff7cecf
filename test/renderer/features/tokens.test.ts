import { describe, expect, test } from 'vitest';
import type { ListedToken } from '../../../src-renderer/api/requests/types.ts';
import { listQueryOf, userInAddress } from '../../../src-renderer/features/tokens/all-tokens-search.ts';
import { nameWithOwner, ownersOf } from '../../../src-renderer/features/tokens/token-owners.ts';
import { prefillOf, readTokensSearch } from '../../../src-renderer/features/tokens/token-prefill.ts';
import { tryWith } from '../../../src-renderer/features/tokens/try-with.ts';

const tokenOfBob: ListedToken = {
  id: 1,
  name: 'bench 3',
  description: '',
  revoked: false,
  active: true,
  scopes: ['read_api'],
  user_id: 4,
  username: 'bob',
  created_at: '2026-11-01T00:00:00.000Z',
  last_used_at: null,
  last_used_ips: [],
  expires_at: null,
};

test("a link fills in a new token as GitLab's does, and invalid values are reported", () => {
  const search = readTokensSearch({ name: 'bench 3', scopes: 'read_api,sudo read_user,read_api', other: 1 });
  expect(search).toEqual({ name: 'bench 3', scopes: 'read_api,sudo read_user,read_api' });
  expect(prefillOf(search)).toEqual({ name: 'bench 3', scopes: ['read_api', 'read_user'], unknown: ['sudo'] });
});

test('a name that looks like a number is a name, and a link without parameters opens no form', () => {
  expect(prefillOf(readTokensSearch({ name: 2026 }))).toEqual({ name: '2026', scopes: [], unknown: [] });
  expect(readTokensSearch({ name: { a: 1 }, revoke: '7' })).toEqual({});
  expect(prefillOf({})).toBeNull();
  expect(prefillOf({ revoke: 7 })).toBeNull();
});

test('values of a link are no longer than the form allows', () => {
  const prefill = prefillOf({
    name: 'x'.repeat(1000),
    scopes: Array.from({ length: 500 }, (_, index) => `s${index}`).join(','),
  });
  expect(prefill?.name).toHaveLength(255);
  expect(prefill?.unknown).toHaveLength(20);
});

test.each([
  [['read_measurement', 'read_user'], '/api/v4/measurements'],
  [['read_user'], '/api/v4/user'],
  [['self_rotate'], '/api/v4/personal_access_tokens/self'],
])('with %j the shown command requests %s', (scopes, path) => {
  expect(tryWith(scopes).path).toBe(path);
});

describe('U11 the address of all tokens', () => {
  test('has a user, an order and a page, and drops invalid parameters', () => {
    expect(
      readTokensSearch({ user: 'bob', sort: 'expires', order: 'desc', page: 3, state: 'inactive', search: 7 }),
    ).toEqual({
      user: 'bob',
      sort: 'expires',
      order: 'desc',
      page: 3,
      state: 'inactive',
      search: '7',
    });
    expect(readTokensSearch({ all: true, sort: 'size', page: -1, state: 'odd' })).toEqual({ all: true });
    // Without either it is the user's own list, which has no pages.
    expect(readTokensSearch({ page: 3, sort: 'name' })).toEqual({});
  });

  test("is translated to the service's parameters", () => {
    expect(listQueryOf({ all: true })).toEqual({
      user: '',
      search: '',
      state: 'active',
      sort: 'created_desc',
      page: 1,
    });
    expect(listQueryOf({ user: 'bob', sort: 'used', order: 'asc', page: 2 })).toMatchObject({
      user: 'bob',
      sort: 'last_used_asc',
      page: 2,
    });
    expect(listQueryOf({ all: true, sort: 'expires' }).sort).toBe('expires_asc');
  });

  test("has a user's number where the name could be mistaken for one", () => {
    expect(userInAddress({ id: 4, username: 'bob' })).toBe('bob');
    expect(userInAddress({ id: 4, username: '2026' })).toBe('4');
  });

  test('the question names the owners, the first few of many', () => {
    const of = (...names: readonly string[]): ListedToken[] =>
      names.map((username, index) => ({ ...tokenOfBob, id: index, username }));
    expect(nameWithOwner(tokenOfBob)).toBe('bench 3 of bob');
    expect(ownersOf(of('bob'))).toBe('bob');
    expect(ownersOf(of('carol', 'bob', 'bob', 'alice'))).toBe('alice, bob and carol');
    expect(ownersOf(of('a', 'b', 'c', 'd', 'e', 'f', 'g'))).toBe('a, b, c, d, e and 2 other users');
  });
});
