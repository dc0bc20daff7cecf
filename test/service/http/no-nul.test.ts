import { describe, expect, test } from 'vitest';
import { hasNul } from '../../../src-main/service/http/server/no-nul.ts';
import { useTestService, useUser } from '../use-service.ts';

const service = useTestService();
const alice = useUser(service, 'alice', { scopes: ['api'], admin: true });

test.each([
  [{ name: 'a\0b' }, true],
  [{ 'a\0': 1 }, true],
  [{ name: 'a\\\0' }, true],
  [{ name: String.raw`\u0000` }, false],
  [{ name: 'a' }, false],
])('%j contains NUL: %s', (value, expected) => {
  expect(hasNul(JSON.stringify(value))).toBe(expected);
});

describe('a text with NUL', () => {
  test('is refused in JSON and in forms, and nothing is stored', async () => {
    const path = '/api/v4/users/1/personal_access_tokens';
    const json = await alice.send('POST', path, { name: 'a\0b', scopes: ['read_api'] });
    const form = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'private-token': alice.token, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=a%00b&scopes[]=read_api',
    });
    expect([json.status, form.status]).toEqual([400, 400]);
    expect(await json.json()).toMatchObject({ message: expect.stringContaining('NUL') });
    // Names of people may have no invisible characters at all (readable-names.test.ts).
    expect(await form.json()).toMatchObject({ message: expect.stringContaining('invisible') });
    expect(await (await alice.get('/api/v4/personal_access_tokens')).json()).toHaveLength(1);
  });

  test('is found nowhere', async () => {
    expect((await alice.get('/api/v4/users?search=a%00')).status).toBe(200);
    expect((await alice.get('/api/v4/projects/a%00')).status).toBe(404);
  });
});
