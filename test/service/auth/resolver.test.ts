import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { RegisteredApplication } from '../../../src-main/service/oauth/applications/register-application.ts';
import { addMeasurement, openBeside } from '../fixture-measurement.ts';
import { RawClient } from '../raw-client.ts';
import { until } from '../until.ts';
import { zeros } from '../zeros.ts';
import { setState } from '../people.ts';
import { pairOf, startIssuer } from '../oauth/token-fixture.ts';
import { useWorld } from '../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;
const long = 64 * 1024 * 1024;

beforeAll(async () => {
  web = await issuer.register({ scopes: ['api', 'read_api', 'read_user', 'read_measurement', 'openid'] });
  await addMeasurement(issuer, issuer.ids.alice, 'm', [await zeros(issuer, 'm', 'z.bin', long)]);
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const file = async (token: string) =>
  (await fetch(`${issuer.url}/measurements/m/files/0`, { method: 'HEAD', headers: bearer(token) })).status;

describe('an OAuth access token', () => {
  test('is accepted as Bearer, as PRIVATE-TOKEN and in the query of the API', async () => {
    const { access } = await issuer.pair(web);
    expect(await issuer.userStatus(access)).toBe(200);
    expect((await issuer.get('/api/v4/user', { 'private-token': access })).status).toBe(200);
    expect((await issuer.get(`/api/v4/user?access_token=${access}`)).status).toBe(200);
    expect((await issuer.get(`/measurements/m/files/0?access_token=${access}`)).status).toBe(401);
    expect(await issuer.userStatus(access.toUpperCase())).toBe(401);
    expect(await issuer.userStatus(`${access.slice(1)}0`)).toBe(401);
  });

  test('has only the rights of its scopes', async () => {
    const reader = await issuer.pair(web, { scopes: ['read_measurement'] });
    expect(await file(reader.access)).toBe(200);
    const user = await issuer.get('/api/v4/user', bearer(reader.access));
    expect([user.status, user.body['error']]).toEqual([403, 'insufficient_scope']);
    const signIn = await issuer.pair(web, { scopes: ['openid'] });
    expect(await file(signIn.access)).toBe(403);
    expect(await issuer.userStatus(signIn.access)).toBe(403);
  });

  test('cannot be replaced by a refresh token or a code', async () => {
    const code = await issuer.code(web);
    const { refresh } = await issuer.pair(web);
    expect(await issuer.userStatus(code)).toBe(401);
    expect(await issuer.userStatus(refresh)).toBe(401);
  });

  test('ends after 7200 s', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    try {
      const { access } = await issuer.pair(web);
      vi.setSystemTime(now + 7_199_999);
      expect(await issuer.userStatus(access)).toBe(200);
      vi.setSystemTime(now + 7_200_000);
      expect(await issuer.userStatus(access)).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test('S80 a block, a revocation and the end of its application, here or by another process, take effect with the next request', async () => {
    const blocked = await issuer.pair(web, { userId: issuer.ids.bob });
    expect(await issuer.userStatus(blocked.access)).toBe(200);
    await setState(issuer.services, 'bob', 'blocked');
    expect(await issuer.userStatus(blocked.access)).toBe(401);
    await setState(issuer.services, 'bob', 'active');
    expect(await issuer.userStatus(blocked.access)).toBe(401);
    const bob = await issuer.pair(web, { userId: issuer.ids.bob });
    expect(await issuer.userStatus(bob.access)).toBe(200);

    const beside = openBeside(issuer);
    beside.prepare('UPDATE users SET state = ? WHERE id = ?').run('blocked', issuer.ids.bob);
    expect(await issuer.userStatus(bob.access)).toBe(401);
    beside.prepare('UPDATE users SET state = ? WHERE id = ?').run('active', issuer.ids.bob);
    expect(await issuer.userStatus(bob.access)).toBe(200);
    beside.prepare('UPDATE oauth_grants SET revoked_at = 1 WHERE user_id = ?').run(issuer.ids.bob);
    expect(await issuer.userStatus(bob.access)).toBe(401);

    const gone = await issuer.register();
    const orphan = await issuer.pair(gone);
    expect(await issuer.userStatus(orphan.access)).toBe(200);
    beside.pragma('foreign_keys = ON');
    beside.prepare('DELETE FROM oauth_applications WHERE id = ?').run(gone.application.id);
    expect(await issuer.userStatus(orphan.access)).toBe(401);
    beside.close();
  });

  test('S57 its first use is on disk before it gives access', async () => {
    const first = await issuer.pair(web);
    const second = pairOf(await issuer.refresh(web, first.refresh));
    expect(await issuer.userStatus(second.access)).toBe(200);
    const beside = openBeside(issuer);
    const rows = beside.prepare<[], { first_used_at: number | null; revoked_at: number | null }>(
      'SELECT first_used_at, revoked_at FROM oauth_tokens ORDER BY id DESC LIMIT 2',
    );
    const [newer, older] = rows.all();
    expect(newer?.first_used_at).not.toBeNull();
    expect(older?.revoked_at).not.toBeNull();
    beside.close();
  });

  test('50 first uses at once all succeed', async () => {
    const first = await issuer.pair(web);
    const second = pairOf(await issuer.refresh(web, first.refresh));
    const answers = await Promise.all(Array.from({ length: 50 }, () => issuer.userStatus(second.access)));
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  test('S80 a running download ends when its grant is revoked', async () => {
    const { access } = await issuer.pair(web, { scopes: ['read_measurement'] });
    const client = await RawClient.open(issuer.url);
    client.get('/measurements/m/files/0', `Authorization: Bearer ${access}`);
    await client.until(100_000);
    client.pause();
    expect(client.status).toBe(200);
    await issuer.post('/oauth/revoke', {
      token: access,
      client_id: web.application.clientId,
      client_secret: web.secret ?? '',
    });
    const beside = openBeside(issuer);
    const outcome = beside.prepare<[], string | null>('SELECT outcome FROM transfers ORDER BY id DESC LIMIT 1').pluck();
    await until(() => outcome.get() === 'revoked', 'the end of the transfer').finally(() => beside.close());
    await client.drain();
    expect(client.bodyReceived).toBeLessThan(long);
  });
});
