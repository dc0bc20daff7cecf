import { expect, test } from 'vitest';
import { prefillOf, readTokensSearch } from '../../src-renderer/features/tokens/token-prefill.ts';
import { tryWith } from '../../src-renderer/features/tokens/try-with.ts';

test("a link fills in a new token as GitLab's does, and says what cannot be", () => {
  const search = readTokensSearch({ name: 'bench 3', scopes: 'read_api,sudo read_user,read_api', other: 1 });
  expect(search).toEqual({ name: 'bench 3', scopes: 'read_api,sudo read_user,read_api' });
  expect(prefillOf(search)).toEqual({ name: 'bench 3', scopes: ['read_api', 'read_user'], unknown: ['sudo'] });
});

test('a name that looks like a number is a name, and no address at all asks for nothing', () => {
  expect(prefillOf(readTokensSearch({ name: 2026 }))).toEqual({ name: '2026', scopes: [], unknown: [] });
  expect(readTokensSearch({ name: { a: 1 }, revoke: '7' })).toEqual({});
  expect(prefillOf({})).toBeNull();
  expect(prefillOf({ revoke: 7 })).toBeNull();
});

test('nothing that a link says is longer than a form takes', () => {
  const prefill = prefillOf({ name: 'x'.repeat(1000), scopes: Array.from({ length: 500 }, (_, index) => `s${index}`).join(',') });
  expect(prefill?.name).toHaveLength(255);
  expect(prefill?.unknown).toHaveLength(20);
});

test.each([
  [['read_measurement', 'read_user'], '/api/v4/measurements'],
  [['read_user'], '/api/v4/user'],
  [['self_rotate'], '/api/v4/personal_access_tokens/self'],
])('with %j the line beside the secret asks for %s', (scopes, path) => {
  expect(tryWith(scopes).path).toBe(path);
});
