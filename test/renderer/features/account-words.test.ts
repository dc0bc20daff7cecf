import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { browserWords } from '../../../src-shared/browser-words.ts';
import { refusalOfKey } from '../../../src-renderer/features/account/refusal-of-key.ts';
import { actionGroups, actionWords, isAlarming } from '../../../src-renderer/features/audit/action-words.ts';
import { filterOf, readAuditSearch } from '../../../src-renderer/features/audit/audit-search.ts';
import { problemOfUsername } from '../../../src-renderer/features/users/credential-rules.ts';
import { readUsersSearch } from '../../../src-renderer/features/users/users-search.ts';

describe('the audit trail in words', () => {
  test('has words for every action of the service', async () => {
    const folder = path.resolve(import.meta.dirname, '../../../src-main');
    const written = new Set<string>();
    for (const file of (await readdir(folder, { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.includes('contract'),
    )) {
      const source = await readFile(path.join(folder, file), 'utf8');
      for (const [, action = ''] of source.matchAll(
        /'((?:user|token|oauth|application|measurement|project|settings|client-key|error|error-tracking|data)\.(?!json')[a-z][a-z0-9-]+)'/g,
      ))
        written.add(action);
    }
    // At least the words that the checklist for OAuth sign-in names.
    expect(written.size).toBeGreaterThan(30);
    expect([...written].filter((action) => actionWords(action) === action)).toEqual([]);
  });

  test('names each action once, under its own prefix, and shows an unknown one as it is', () => {
    const all = actionGroups.flatMap(({ prefix, actions }) =>
      Object.keys(actions).map((action) => [prefix, action] as const),
    );
    for (const [prefix, action] of all) expect(action.startsWith(prefix), action).toBe(true);
    expect(new Set(all.map(([, action]) => action)).size).toBe(all.length);
    expect(actionWords('telescope.turn')).toBe('telescope.turn');
    expect([isAlarming('oauth.refresh-reuse'), isAlarming('user.sign-in')]).toEqual([true, false]);
  });
});

describe('the parameters of an address', () => {
  test('are accepted for the audit trail if they are valid', () => {
    expect(
      readAuditSearch({ user: 'bob', action: 'oauth.', from: '2026-11-01', to: '1 March', page: 3, other: 1 }),
    ).toEqual({
      user: 'bob',
      action: 'oauth.',
      from: '2026-11-01',
      page: 3,
    });
    expect(readAuditSearch({ user: 42, page: 1.5 })).toEqual({ user: '42' });
    expect(filterOf({ user: 'bob', page: 2 })).toEqual({ user: 'bob', action: '', from: '', to: '' });
  });

  test('are accepted for the users if they are valid', () => {
    expect(readUsersSearch({ search: 42, state: 'blocked', page: 2 })).toEqual({
      search: '42',
      state: 'blocked',
      page: 2,
    });
    expect(readUsersSearch({ search: '', state: 'gone', page: 0 })).toEqual({});
  });
});

test('browsers are identified by their user agent, and unknown ones stay unnamed', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  expect(browserWords(chrome)).toBe('Chrome on Windows');
  expect(browserWords(`${chrome} Edg/156.0.0.0`)).toBe('Edge on Windows');
  expect(browserWords('Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0')).toBe(
    'Firefox on Linux',
  );
  expect(
    browserWords(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605 Version/19.1 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari on iOS');
  expect(browserWords('Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36')).toBe(
    'Chrome on Android',
  );
  expect(browserWords('curl/8.14.1')).toBe('curl');
  expect(browserWords('lab-instrument (Linux)')).toBe('Unknown browser on Linux');
  expect(browserWords(null)).toBe('Unknown browser');
});

test("a failed registration of a security key is explained for every browser's error", () => {
  const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
  expect(refusalOfKey(named('NotAllowedError', 'The operation either timed out or was not allowed.')).detail).toContain(
    'took too long',
  );
  expect(refusalOfKey(named('InvalidStateError', 'x')).detail).toContain('already added this key');
  expect(refusalOfKey(named('StrangeError', 'The device is full.')).detail).toBe('The device is full.');
});

test('user names are checked before they are sent, by the rule of the service', () => {
  for (const name of ['alice', '_bench', 'a.b-c_9']) expect(problemOfUsername(name), name).toBeNull();
  for (const name of ['', '-alice', '.alice', 'al ice', 'ålice', `a${'x'.repeat(255)}`])
    expect(problemOfUsername(name), name).not.toBeNull();
});
