import { symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  internalAddress,
  canDelegateToNginx,
  readInternalLocation,
  withRealFolder,
} from '../../../../src-main/service/measurements/download/x-accel-redirect.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService } from '../../start.ts';
import { until } from '../../until.ts';
import { at, bytes, plain, size, useHandOver } from './hand-over-scene.ts';

const scene = useHandOver();
const { ask } = scene;

describe('other requests are not delegated', () => {
  test('who has no access, through nginx, and who asks for its location by name', async () => {
    expect((await scene.front.ask(plain)).status).toBe(401);
    expect((await ask('/benchport-files/sub%20folder/a%20b.txt')).status).toBe(404);
    // A client cannot hand itself a file either.
    expect(
      (await ask('/-/health', { 'x-accel-redirect': '/benchport-files/small' })).headers['content-type'],
    ).toContain('json');
  });

  test('who comes from an address that is not trusted', async () => {
    const other = await startTestService({
      trustedProxies: ['192.0.2.1'],
      internalLocations: [{ prefix: '/benchport-files/', folder: '/' }],
    });
    try {
      const alice = await other.user('alice');
      await addMeasurement(other, alice, 'm', [{ path: 'a', bytes }]);
      const headers = { authorization: `Bearer ${await other.token(alice)}`, 'x-forwarded-for': '192.0.2.1' };
      const answer = await fetch(`${other.url}/measurements/m/files/0`, { headers });
      expect([answer.headers.get('x-accel-redirect'), (await answer.arrayBuffer()).byteLength]).toEqual([null, size]);
    } finally {
      await other.end();
    }
  });

  test('a file that is no longer the one registered, a link to another among them', async () => {
    const file = path.join(scene.fixture.root, 'sub folder', '...');
    await unlink(file);
    await symlink(path.join(scene.elsewhere.root, 'a'), file);
    expect((await ask(at('sub folder/...'))).status).toBe(409);
    await unlink(file);
    await writeFile(file, Buffer.alloc(bytes.length));
    await utimes(file, 1, 1);
    let answer = await ask(at('sub folder/...'));
    // It is compared first.
    await until(async () => {
      if (answer.status === 503) answer = await ask(at('sub folder/...'));
      return answer.status !== 503;
    }, 'the file is compared');
    expect(answer.status).toBe(409);
    await unlink(file);
    expect((await ask(at('sub folder/...'))).status).toBe(409);
  });
});

test('an internal location is read strictly, and its folder has to be there', () => {
  expect(readInternalLocation('/files=/srv')).toEqual({ prefix: '/files/', folder: '/srv/' });
  for (const text of ['/files/', '=/srv', 'files=/srv', '/=/srv', '/a b/=/srv', '/files/?x=/srv', '/files/=srv']) {
    expect(() => readInternalLocation(text), text).toThrow();
  }
  expect(() => withRealFolder({ prefix: '/files/', folder: '/nowhere/at/all/' })).toThrow(
    'There is no folder /nowhere/at/all/',
  );
});

test('an address stays within its location', () => {
  const places = [{ prefix: '/f/', folder: '/srv/m/' }];
  expect(internalAddress(places, '/srv/m/a b/%2e/\u00fc?')).toBe('/f/a%20b/%252e/%C3%BC%3F');
  for (const file of ['/srv/mm/a', '/srv/m', '/srv/m/../x', '/srv/m/./x', '/srv/m//x', '/etc/passwd', '/srv/m/\ud800'])
    expect(internalAddress(places, file), file).toBeNull();
  expect(canDelegateToNginx({}, 64 * 1024)).toBe(false);
  expect(canDelegateToNginx({}, 64 * 1024 + 1)).toBe(true);
});
