import { beforeAll, describe, expect, test } from 'vitest';
import { addMeasurement, changeSeen, openBeside } from '../../fixture-measurement.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { zeros } from '../../zeros.ts';

const long = 64 * 1024 * 1024;
const service = useTestService();
const alice = useUser(service, 'alice', { scopes: ['api'] });
let number = 0;

beforeAll(async () => {
  await addMeasurement(service, alice.id, 'm', [await zeros(service, 'm', 'z.bin', long)]);
});

/** Another user with a token. */
async function reader(): Promise<{ name: string; userId: number; tokenId: number; token: string }> {
  number += 1;
  const name = `reader${number}`;
  const userId = await service.user(name);
  const token = await service.token(userId, ['read_api']);
  return { name, userId, token, tokenId: (await service.services.tokens.ofUser(userId))[0]?.id ?? 0 };
}

async function grant(body: object, id = 'm'): Promise<number> {
  const response = await alice.send('POST', `/api/v4/measurements/${id}/grants`, body);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

const statusFor = async (token: string, id = 'm') =>
  (
    await fetch(`${service.url}/measurements/${id}/files/0`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

describe('the right to read', () => {
  test('belongs to the owner, administrators and grantees, from the next request on', async () => {
    const { name, userId, token } = await reader();
    const admin = await service.token(await service.user('root-of-tests', true));
    expect(await statusFor(alice.token)).toBe(200);
    expect(await statusFor(admin)).toBe(200);
    expect(await statusFor(token)).toBe(403);
    const direct = await grant({ user: name });
    expect(await statusFor(token)).toBe(200);
    expect((await alice.send('DELETE', `/api/v4/measurements/m/grants/${direct}`)).status).toBe(204);
    expect(await statusFor(token)).toBe(403);
    const project = await service.services.projects.create(`lab/${name}`, 'Lab');
    await service.services.projects.setMember(project?.id ?? 0, userId, 'reporter');
    await service.services.projects.setMember(project?.id ?? 0, alice.id, 'reporter');
    const shared = await grant({ project: `lab/${name}` });
    expect(await statusFor(token)).toBe(200);
    await alice.send('DELETE', `/api/v4/measurements/m/grants/${shared}`);
    const everyone = await grant({ everyone: true });
    expect(await statusFor(token)).toBe(200);
    await alice.send('DELETE', `/api/v4/measurements/m/grants/${everyone}`);
    expect(await statusFor(token)).toBe(403);
  });

  test('ends when its grant expires', async () => {
    const { name, token } = await reader();
    await grant({ user: name, until: new Date(Date.now() + 700).toISOString() });
    expect(await statusFor(token)).toBe(200);
    await until(async () => (await statusFor(token)) === 403, 'the end of the grant');
  });

  test('a grant, a revocation and a block made by another process take effect with the next request', async () => {
    const { userId, tokenId, token } = await reader();
    expect(await statusFor(token)).toBe(403);
    const beside = openBeside(service);
    beside
      .prepare('INSERT INTO grants (measurement_id, user_id, everyone, created_at) VALUES (?, ?, 0, ?)')
      .run('m', userId, Date.now());
    await changeSeen(service);
    expect(await statusFor(token)).toBe(200);
    beside.prepare("UPDATE users SET state = 'blocked' WHERE id = ?").run(userId);
    await changeSeen(service);
    expect(await statusFor(token)).toBe(401);
    beside.prepare("UPDATE users SET state = 'active' WHERE id = ?").run(userId);
    await changeSeen(service);
    expect(await statusFor(token)).toBe(200);
    beside.prepare('UPDATE personal_access_tokens SET revoked_at = ? WHERE id = ?').run(Date.now(), tokenId);
    await changeSeen(service);
    expect(await statusFor(token)).toBe(401);
    beside.close();
  });
});

describe('a running transfer', () => {
  async function begun(token: string, id = 'm', path = '/files/0'): Promise<RawClient> {
    const client = await RawClient.open(service.url);
    client.get(`/measurements/${id}${path}`, `Authorization: Bearer ${token}`);
    await client.until(100_000);
    client.pause();
    expect(client.status).toBe(200);
    return client;
  }

  /** The service itself has ended it while the client did not read, and the body is incomplete. */
  async function endsEarly(client: RawClient, userId: number, id = 'm'): Promise<void> {
    const beside = openBeside(service);
    const outcome = beside
      .prepare<[number, string], string | null>(
        'SELECT outcome FROM transfers WHERE user_id = ? AND measurement_id = ?',
      )
      .pluck();
    await until(() => outcome.get(userId, id) === 'revoked', 'the end of the transfer').finally(() => beside.close());
    await client.drain();
    expect(client.bodyReceived).toBeLessThan(long);
  }

  const endings: readonly (readonly [string, (who: Awaited<ReturnType<typeof reader>>, grantId: number) => unknown])[] =
    [
      [
        'the token is revoked',
        async ({ tokenId }) => {
          await service.services.tokens.revoke(tokenId);
          service.services.changes.bump();
        },
      ],
      [
        'the user is blocked',
        async ({ userId }) => {
          await service.services.users.setState(userId, 'blocked');
          service.services.changes.bump();
        },
      ],
      ['the grant is taken back', (_who, grantId) => alice.send('DELETE', `/api/v4/measurements/m/grants/${grantId}`)],
      [
        'another process revokes the token',
        ({ tokenId }) => {
          const beside = openBeside(service);
          beside.prepare('UPDATE personal_access_tokens SET revoked_at = ? WHERE id = ?').run(Date.now(), tokenId);
          beside.close();
        },
      ],
      [
        'another process takes the grant back',
        (_who, grantId) => {
          const beside = openBeside(service);
          beside.prepare('DELETE FROM grants WHERE id = ?').run(grantId);
          beside.close();
        },
      ],
    ];
  test.each(endings)('ends when %s', async (_what, end) => {
    const who = await reader();
    const grantId = await grant({ user: who.name });
    const client = await begun(who.token);
    await end(who, grantId);
    await endsEarly(client, who.userId);
    expect((await statusFor(alice.token)) === 200).toBe(true);
  });

  test('ends when the token and the grant expire', async () => {
    const byToken = await reader();
    await grant({ user: byToken.name });
    const byGrant = await reader();
    const grantId = await grant({ user: byGrant.name });
    const [first, second] = [await begun(byToken.token), await begun(byGrant.token)];
    // Set only now, because a busy machine may need longer to begin than this lifetime.
    const beside = openBeside(service);
    beside
      .prepare('UPDATE personal_access_tokens SET expires_at = ? WHERE id = ?')
      .run(Date.now() + 300, byToken.tokenId);
    beside.prepare('UPDATE grants SET until = ? WHERE id = ?').run(Date.now() + 300, grantId);
    beside.close();
    await endsEarly(first, byToken.userId);
    await endsEarly(second, byGrant.userId);
  });

  test('of the archive ends when the measurement is removed', async () => {
    await addMeasurement(service, alice.id, 'gone', [await zeros(service, 'gone', 'z.bin', long)]);
    const client = await begun(alice.token, 'gone', '');
    expect((await alice.send('DELETE', '/api/v4/measurements/gone')).status).toBe(204);
    await endsEarly(client, alice.id, 'gone');
    expect(await statusFor(alice.token, 'gone')).toBe(404);
  });
});
