import { describe, expect, test } from 'vitest';
import { addUser, setState } from '../../people.ts';
import { browserAt, csrfOf, hiddenFields } from '../../browser.ts';
import { password, useSignIn } from './sign-in-scene.ts';

const { service } = useSignIn();

describe('S33 the page after a sign-in', () => {
  test.each([
    ['/ui/measurements/x?tab=files#top', '/ui/measurements/x?tab=files#top'],
    ['//elsewhere.example/', '/ui/'],
    ['/\\elsewhere.example', '/ui/'],
    ['/.//elsewhere.example', '/ui/'],
    ['https://elsewhere.example/', '/ui/'],
    ['javascript:alert(1)', '/ui/'],
    ['/\tx', '/ui/'],
    ['', '/ui/'],
  ])('%s', async (wish, location) => {
    const answer = await browserAt(service).signIn('bob', password, `?return_to=${encodeURIComponent(wish)}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(location);
  });

  test('is our own where the address is too long once it is encoded', async () => {
    for (const [letters, location] of [
      [1900, `/ui/${'%C3%BC'.repeat(1900)}`],
      [2100, '/ui/'],
    ] as const) {
      const browser = browserAt(service);
      const form = hiddenFields(await (await browser.get('/users/sign_in')).text());
      const return_to = `/ui/${'ü'.repeat(letters)}`;
      const answer = await browser.postForm('/users/sign_in', { ...form, return_to, username: 'bob', password });
      expect(answer.headers.get('location')).toBe(location);
    }
  });
});

describe('a signed-in browser', () => {
  test('cannot write without the CSRF header of its own session', async () => {
    await addUser(service.services, 'writer', { password });
    await addUser(service.services, 'another', { password });
    const browser = browserAt(service);
    await browser.signIn('writer', password);
    const other = browserAt(service);
    await other.signIn('another', password);
    const body = { name: 'x', scopes: ['api'] };
    const path = '/api/v4/user/personal_access_tokens';
    expect((await browser.send('POST', path, body)).status).toBe(403);
    expect((await browser.send('POST', path, body, { 'x-csrf-token': 'x' })).status).toBe(403);
    expect((await browser.send('POST', path, body, { 'x-csrf-token': await csrfOf(other) })).status).toBe(403);
    expect(
      (
        await browser.send('POST', path, body, {
          'x-csrf-token': await csrfOf(browser),
          'sec-fetch-site': 'cross-site',
        })
      ).status,
    ).toBe(403);
    expect((await browser.send('POST', path, body, { 'x-csrf-token': await csrfOf(browser) })).status).toBe(201);
  });

  test('loses access as soon as its user is blocked, for good', async () => {
    await addUser(service.services, 'blocked', { password });
    const browser = browserAt(service);
    await browser.signIn('blocked', password);
    await setState(service.services, 'blocked', 'blocked');
    expect((await browser.get('/api/v4/user')).status).toBe(401);
    expect((await browserAt(service).signIn('blocked', password)).status).toBe(422);
    await setState(service.services, 'blocked', 'active');
    expect((await browser.get('/api/v4/user')).status).toBe(401);
  });
});
