import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { AttemptLimit } from '../../../../src-main/service/accounts/attempts/attempt-limit.ts';
import { signInLimits } from '../../../../src-main/service/accounts/attempts/sign-in-limits.ts';
import { singleProcess } from '../../../../src-main/service/database/cluster/cluster.ts';
import { networkOf } from '../../../../src-main/service/http/network-of.ts';
import type { HttpProblem } from '../../../../src-main/service/common/problem.ts';
import { countGuesses, guessLimits } from '../../../../src-main/service/oauth/token/count-guesses.ts';
import { oauthError } from '../../../../src-main/service/oauth/shared/oauth-error.ts';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { zeros } from '../../zeros.ts';
import { password, startIssuer } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;

beforeAll(async () => {
  web = await issuer.register();
});

describe('S96 limits of failures', () => {
  test('are per key, and expire', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    try {
      const limit = new AttemptLimit(2, 60_000);
      const attempt = async (key: string, failed: boolean) => {
        const begun = await limit.begin(key);
        if (typeof begun !== 'number') begun.end(failed);
        return typeof begun === 'number' ? begun : 0;
      };
      expect(await attempt('a', true)).toBe(0);
      for (let i = 0; i < 10; i += 1) expect(await attempt('a', false)).toBe(0);
      expect(await attempt('a', true)).toBe(0);
      expect(await attempt('a', false)).toBe(60);
      expect(await attempt('b', false)).toBe(0);
      vi.setSystemTime(1_059_000);
      expect(await attempt('a', false)).toBe(1);
      vi.setSystemTime(1_060_000);
      expect(await attempt('a', true)).toBe(0);
      expect(await attempt('a', true)).toBe(0);
      expect(await attempt('a', true)).toBe(60);
    } finally {
      vi.useRealTimers();
    }
  });

  test('are divided by the replicas that are alive, and allow one attempt at least', async () => {
    let live = 1;
    const limit = new AttemptLimit(4, 60_000, { live: () => live });
    const fail = async (key: string) => {
      const begun = await limit.begin(key);
      if (typeof begun !== 'number') begun.end(true);
      return typeof begun !== 'number';
    };
    expect([await fail('a'), await fail('a'), await fail('a')]).toEqual([true, true, true]);
    live = 2;
    expect(await fail('a')).toBe(false);
    expect([await fail('b'), await fail('b'), await fail('b')]).toEqual([true, true, false]);
    live = 9;
    expect([await fail('c'), await fail('c')]).toEqual([true, false]);
  });

  test('count addresses of one IPv6 network together, ten times as many', async () => {
    const limits = guessLimits(3, 60_000, singleProcess);
    const guess = async (ip: string) =>
      countGuesses(limits, { ip, body: {} } as FastifyRequest, async () =>
        Promise.reject(oauthError('invalid_client', 'wrong')),
      ).catch(({ status }: HttpProblem) => status);
    for (let i = 1; i <= 30; i += 1) expect(await guess(`2001:db8:0:1::${i.toString(16)}`)).not.toBe(429);
    expect(await guess('2001:db8:0:1:aa:bb:cc:dd')).toBe(429);
    expect(await guess('2001:db8::1')).not.toBe(429);
    expect(
      ['::1', 'fe80::1', '2001:db8:0:1::', '2001:db8::1:0:0:1', '192.0.2.1', '1:2:3:4:5:6:7:8'].map(networkOf),
    ).toEqual([
      '0:0:0:0::/64',
      'fe80:0:0:0::/64',
      '2001:db8:0:1::/64',
      '2001:db8:0:0::/64',
      '192.0.2.1',
      '1:2:3:4::/64',
    ]);
  });

  test('at the sign-in are per network too', async () => {
    const limits = signInLimits({ cluster: singleProcess });
    const fail = async (address: string) => {
      const begun = await limits.begin({ address, name: `network ${networkOf(address)}`, known: false }, 'alice');
      if (typeof begun !== 'number') begun.end(true);
      return typeof begun !== 'number';
    };
    for (let i = 1; i <= 1000; i += 1) expect(await fail(`2001:db8::${i.toString(16)}`)).toBe(true);
    expect(await fail('2001:db8::ffff')).toBe(false);
    expect(await fail('2001:db8:0:1::1')).toBe(true);
  });

  test('B3: running attempts count, so that of many at once no more can fail', async () => {
    const limit = new AttemptLimit(10, 60_000);
    let [running, most, refused] = [0, 0, 0];
    const attempt = async (fails: boolean) => {
      const begun = await limit.begin('a');
      if (typeof begun === 'number') return void (refused += 1);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      begun.end(fails);
    };
    await Promise.all(Array.from({ length: 500 }, async () => attempt(false)));
    expect([most, refused]).toEqual([10, 0]);
    await Promise.all(Array.from({ length: 500 }, async () => attempt(true)));
    expect([most, refused]).toEqual([10, 490]);
  });

  test('at the token endpoint apply to an address, for every use of a client secret, with Retry-After', async () => {
    const guess = issuer.exchange(web, 'f'.repeat(64), { client_secret: 'guess' });
    const pair = await issuer.pair(web);
    // An invalid code is no guess of a secret.
    const used = issuer.exchange(web, 'f'.repeat(64));
    for (let i = 0; i < 120; i += 1) expect((await issuer.tokenRequest(used)).status).toBe(400);
    const statuses = await Promise.all(
      ['introspect', 'revoke'].map(
        async (path) => (await issuer.post(`/oauth/${path}`, { ...guess, token: 'x' })).status,
      ),
    );
    expect(statuses).toEqual([401, 401]);
    for (let round = 0; round < 2; round += 1) {
      const more = await Promise.all(Array.from({ length: 49 }, async () => (await issuer.tokenRequest(guess)).status));
      expect(new Set(more)).toEqual(new Set([401]));
    }
    const client = { client_id: web.application.clientId, client_secret: web.secret ?? '' };
    for (const answer of [
      await issuer.tokenRequest(guess),
      await issuer.refresh(web, pair.refresh),
      await issuer.post('/oauth/revoke', { ...client, token: pair.access }),
      await issuer.post('/oauth/introspect', { ...client, token: pair.access }),
    ]) {
      expect([answer.status, answer.body['error']]).toEqual([429, 'temporarily_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200);
    }
    // A client with a token is not affected.
    expect(await issuer.userStatus(pair.access)).toBe(200);
  });
});

test('P20 many passwords at once do not delay downloads', async () => {
  const fresh = await startIssuer();
  try {
    await addMeasurement(fresh, fresh.ids.alice, 'm', [await zeros(fresh, 'm', 'z.bin', 1024 * 1024)]);
    const headers = { authorization: `Bearer ${await fresh.token(fresh.ids.alice, ['api'])}` };
    const download = async () => {
      const answer = await fetch(`${fresh.url}/measurements/m/files/0`, { headers });
      expect((await answer.arrayBuffer()).byteLength).toBe(1024 * 1024);
    };
    await download();
    const count = 60;
    const done: number[] = [];
    const passwords = Array.from({ length: count }, async () => {
      done.push((await fresh.tokenRequest({ grant_type: 'password', username: 'alice', password })).status);
    });
    for (let i = 0; i < 5; i += 1) await download();
    // Five downloads were complete while passwords were still queued.
    expect(done.length).toBeLessThan(count - 10);
    await Promise.all(passwords);
    expect(new Set(done)).toEqual(new Set([200]));
  } finally {
    await fresh.end();
  }
});
