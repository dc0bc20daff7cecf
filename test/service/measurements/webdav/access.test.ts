import { describe, expect, test } from 'vitest';
import { useWorld } from '../../use-service.ts';
import { basic, startDavWorld } from './dav-world.ts';

const world = useWorld(startDavWorld);
const propfind = (authorization: string | undefined, path = '/dav/run-1/', headers: Record<string, string> = {}) =>
  fetch(world.url + path, {
    method: 'PROPFIND',
    headers: { depth: '1', ...(authorization === undefined ? {} : { authorization }), ...headers },
  });

describe('who may read', () => {
  test.each([
    ['nobody', () => undefined],
    ['a token of another', () => basic('alice', world.bob)],
    ['a name with a wrong token', () => basic('alice', `${world.alice}x`)],
    ['a name without a token', () => basic('alice', '')],
    ['a token without a name', () => basic('', world.alice)],
    ['a password of more than a token', () => basic('alice', `${world.alice} and more`)],
    ['no Base64', () => 'Basic ???'],
    ['another scheme', () => 'Digest username="alice"'],
  ])('%s is asked for a user name and a token', async (_, authorization) => {
    for (const path of ['/dav/', '/dav/run-1/', '/dav/nothing/']) {
      const response = await propfind(authorization(), path);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Benchport", charset="UTF-8"',
      ]);
      await response.body?.cancel();
    }
  });

  test('the name has any case, and Bearer is taken too', async () => {
    for (const authorization of [basic('ALICE', world.alice), basic('alice', world.alice), `bearer ${world.alice}`])
      expect((await propfind(authorization)).status).toBe(207);
  });

  test('two credentials are refused', async () => {
    expect((await propfind(basic('alice', world.alice), '/dav/', { 'private-token': world.alice })).status).toBe(400);
  });

  test('Basic is taken here alone', async () => {
    const headers = { authorization: basic('alice', world.alice) };
    for (const path of ['/measurements/run-1/files', '/api/v4/measurements'])
      expect((await fetch(world.url + path, { headers })).status).toBe(401);
  });

  test('another user is refused, and a token without the scope', async () => {
    for (const path of ['/dav/run-1/', '/dav/run-1/a.txt', '/dav/run-1/nothing'])
      expect((await propfind(basic('bob', world.bob), path)).status).toBe(403);
    const small = await world.token(world.aliceId, ['read_user']);
    expect((await propfind(basic('alice', small))).status).toBe(403);
  });
});

test('a token that is revoked lists nothing more, from the next request on', async () => {
  const token = await world.token(world.aliceId, ['api']);
  expect((await propfind(basic('alice', token))).status).toBe(207);
  await fetch(`${world.url}/api/v4/personal_access_tokens/self`, {
    method: 'DELETE',
    headers: { 'private-token': token },
  });
  expect((await propfind(basic('alice', token))).status).toBe(401);
});

test('what is listed and fetched is in the audit trail of downloads', async () => {
  await (await propfind(basic('alice', world.alice))).text();
  await (await world.dav('GET', '/dav/run-1/a.txt')).text();
  await expect
    .poll(async () => {
      const response = await fetch(`${world.url}/api/v4/measurements/run-1/transfers`, {
        headers: { 'private-token': await world.token(world.aliceId) },
      });
      return ((await response.json()) as readonly { readonly what: string }[]).map(({ what }) => what);
    })
    .toEqual(expect.arrayContaining(['manifest', 'file']));
});
