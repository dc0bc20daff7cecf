import { beforeAll, describe, expect, test, vi } from 'vitest';
import { removeApplication } from '../../../../src-main/service/oauth/applications/application-change.ts';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { setState } from '../../people.ts';
import { invalidGrant, pairOf, refusal, startIssuer, tokenMembers } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;
const day = 86_400_000;

beforeAll(async () => {
  web = await issuer.register();
});

/** Runs work with the service's clock at another time. */
async function atTime<Result>(time: number, work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

describe('a refresh token', () => {
  test('gives a new pair with the same scopes and the members of the first response', async () => {
    const first = await issuer.pair(web);
    const answer = await issuer.refresh(web, first.refresh, { redirect_uri: 'https://app.example/callback' });
    expect(Object.keys(answer.body)).toEqual(tokenMembers);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'read_user read_api' });
    const second = pairOf(answer);
    expect(new Set([first.access, first.refresh, second.access, second.refresh]).size).toBe(4);
  });

  test('S57 can be repeated until the new access token is first used, and the old access token is valid as long', async () => {
    const first = await issuer.pair(web);
    const lost = pairOf(await issuer.refresh(web, first.refresh));
    const second = pairOf(await issuer.refresh(web, first.refresh));
    expect(lost.refresh).not.toBe(second.refresh);
    expect(await issuer.userStatus(first.access)).toBe(200);
    expect(await issuer.userStatus(second.access)).toBe(200);
    expect(await issuer.userStatus(first.access)).toBe(401);
    expect(await issuer.userStatus(second.access)).toBe(200);
    expect(refusal(await issuer.refresh(web, first.refresh))).toEqual(invalidGrant);
  });

  test('S58 reused after that it revokes the family, and this is audited', async () => {
    const other = await issuer.pair(web);
    const first = await issuer.pair(web);
    const second = pairOf(await issuer.refresh(web, first.refresh));
    for (let use = 0; use < 3; use += 1) expect(await issuer.userStatus(second.access)).toBe(200);
    const before = issuer.audited(web.application.id).length;
    expect(refusal(await issuer.refresh(web, first.refresh))).toEqual(invalidGrant);
    expect(await issuer.userStatus(second.access)).toBe(401);
    expect(refusal(await issuer.refresh(web, second.refresh))).toEqual(invalidGrant);
    expect(await issuer.userStatus(other.access)).toBe(200);
    expect(
      issuer
        .audited(web.application.id)
        .slice(before)
        .map(({ action }) => action),
    ).toEqual(['oauth.refresh-reuse']);
  });

  test('S57 S58 can be repeated for 60 s, also when the new access token is not used', async () => {
    const now = Date.now();
    const first = await issuer.pair(web);
    const second = await atTime(now, async () => pairOf(await issuer.refresh(web, first.refresh)));
    await atTime(now + 59_000, async () => expect((await issuer.refresh(web, first.refresh)).status).toBe(200));
    await atTime(now + 60_000, async () =>
      expect(refusal(await issuer.refresh(web, first.refresh))).toEqual(invalidGrant),
    );
    expect(refusal(await issuer.refresh(web, second.refresh))).toEqual(invalidGrant);
  });

  test('a refresh with the new one counts as its first use', async () => {
    const first = await issuer.pair(web);
    const second = pairOf(await issuer.refresh(web, first.refresh));
    const third = pairOf(await issuer.refresh(web, second.refresh));
    expect(await issuer.userStatus(first.access)).toBe(401);
    expect(await issuer.userStatus(second.access)).toBe(200);
    expect(await issuer.userStatus(third.access)).toBe(200);
    expect(await issuer.userStatus(second.access)).toBe(401);
    expect(refusal(await issuer.refresh(web, first.refresh))).toEqual(invalidGrant);
    expect(await issuer.userStatus(third.access)).toBe(401);
  });

  test('S59 50 refreshes at once leave a working pair, in one family, without a server error', async () => {
    const first = await issuer.pair(web);
    const answers = await Promise.all(Array.from({ length: 50 }, () => issuer.refresh(web, first.refresh)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const pairs = answers.map(pairOf);
    const used = await Promise.all(pairs.map(({ access }) => issuer.userStatus(access)));
    expect(new Set(used)).toEqual(new Set([200]));
    expect(await issuer.userStatus(first.access)).toBe(401);
    // One family: the reuse of their common predecessor ends them all.
    expect(refusal(await issuer.refresh(web, first.refresh))).toEqual(invalidGrant);
    expect(new Set(await Promise.all(pairs.map(({ access }) => issuer.userStatus(access))))).toEqual(new Set([401]));
  });

  test('S59 50 refreshes with uses in between always leave a working token', async () => {
    let current = await issuer.pair(web);
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => issuer.refresh(web, current.refresh)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const chosen = answers.at(-1);
      if (!chosen) throw new Error('no answer');
      current = pairOf(chosen);
      expect(await issuer.userStatus(current.access)).toBe(200);
    }
  });

  test('S60 belongs to its client, and scopes cannot grow', async () => {
    const other = await issuer.register({ name: 'Other' });
    const first = await issuer.pair(web);
    expect(refusal(await issuer.refresh(other, first.refresh))).toEqual(invalidGrant);
    expect(refusal(await issuer.refresh(web, first.refresh, { scope: 'read_user api' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    expect(refusal(await issuer.refresh(web, first.refresh, { scope: 'read_user,read_api' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    const narrowed = await issuer.refresh(web, first.refresh, { scope: 'read_user' });
    expect(narrowed.body['scope']).toBe('read_user');
    const measurements = await issuer.get('/api/v4/measurements', {
      authorization: `Bearer ${pairOf(narrowed).access}`,
    });
    expect(measurements.status).toBe(403);
    expect(refusal(await issuer.refresh(web, pairOf(narrowed).refresh, { scope: 'read_user read_api' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    expect((await issuer.refresh(web, pairOf(narrowed).refresh)).body['scope']).toBe('read_user');
  });

  test('S61 ends after 30 days without use and after a year at most', async () => {
    const now = Date.now();
    const idle = await atTime(now, () => issuer.pair(web));
    await atTime(now + 30 * day, async () =>
      expect(refusal(await issuer.refresh(web, idle.refresh))).toEqual(invalidGrant),
    );

    let busy = await atTime(now, () => issuer.pair(web));
    for (let age = 29; age < 365; age += 28) {
      busy = await atTime(now + age * day, async () => pairOf(await issuer.refresh(web, busy.refresh)));
    }
    await atTime(now + 365 * day - 1000, async () =>
      expect((await issuer.refresh(web, busy.refresh)).status).toBe(200),
    );
    await atTime(now + 365 * day, async () =>
      expect(refusal(await issuer.refresh(web, busy.refresh))).toEqual(invalidGrant),
    );
  });

  test('S62 is refused when its user is blocked, all sessions were signed out, or the application is gone', async () => {
    const bob = await issuer.pair(web, { userId: issuer.ids.bob });
    await setState(issuer.services, 'bob', 'blocked');
    expect(refusal(await issuer.refresh(web, bob.refresh))).toEqual(invalidGrant);
    await setState(issuer.services, 'bob', 'active');

    const ended = await issuer.pair(web, { userId: issuer.ids.bob });
    await issuer.services.oauth.revokeAllOfUser(issuer.ids.bob);
    expect(refusal(await issuer.refresh(web, ended.refresh))).toEqual(invalidGrant);

    const gone = await issuer.register();
    const orphan = await issuer.pair(gone);
    await removeApplication(issuer.services, gone.application, { userId: null, address: null });
    expect(refusal(await issuer.refresh(gone, orphan.refresh))).toEqual([401, 'invalid_client']);
  });

  test('is refused once another process has revoked its grant', async () => {
    const { refresh } = await issuer.pair(web);
    const beside = openBeside(issuer);
    beside
      .prepare('UPDATE oauth_grants SET revoked_at = ? WHERE id = (SELECT max(id) FROM oauth_grants)')
      .run(Date.now());
    beside.close();
    expect(refusal(await issuer.refresh(web, refresh))).toEqual(invalidGrant);
  });
});

describe('S76 expired tokens are removed', () => {
  test('in small steps, and those that can still be used or must be recognised stay', async () => {
    const now = Date.now();
    const beside = openBeside(issuer);
    const count = (table: string) => (beside.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    await issuer.code(web);
    const pair = await issuer.pair(web);
    const revoked = await issuer.pair(web);
    await issuer.post('/oauth/revoke', {
      token: revoked.access,
      client_id: web.application.clientId,
      client_secret: web.secret ?? '',
    });
    const before = { grants: count('oauth_grants'), tokens: count('oauth_tokens') };
    await drain(now);
    expect(count('oauth_tokens')).toBe(before.tokens);

    // Two days later: codes are gone, with the grant of the unused code and the revoked one.
    expect(await drain(now + 2 * day)).toBeGreaterThan(1);
    expect(count('oauth_codes')).toBe(0);
    expect(count('oauth_grants')).toBeLessThan(before.grants);
    expect((await issuer.refresh(web, pair.refresh)).status).toBe(200);

    // Later than everything, also than tokens that other tests issued in the future.
    await drain(now + 500 * day);
    expect(count('oauth_tokens')).toBe(0);
    expect(count('oauth_grants')).toBe(0);
    beside.close();
  });

  async function drain(now: number): Promise<number> {
    let steps = 1;
    while (await issuer.services.oauth.purgeSome(now)) steps += 1;
    return steps;
  }
});
