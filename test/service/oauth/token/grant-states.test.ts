import type Database from 'better-sqlite3';
import { openBeside } from '../../fixture-measurement.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { secretDigest } from '../../../../src-main/service/secrets/secret-digest.ts';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import {
  deviceTransitions,
  type DeviceEvent,
  type DeviceStage,
} from '../../../../src-main/service/oauth/store/device-states.ts';
import { lifetimes } from '../../../../src-main/service/oauth/shared/types.ts';
import { nextOf } from '../../../../src-shared/states/transitions.ts';
import { callback } from '../authorize-fixture.ts';
import { startIssuer, type Issuer } from '../token-fixture.ts';
import { type Family, Model, type Token, watchMoves } from './grant-model.ts';

let issuer: Issuer;
let own: RegisteredApplication;
let foreign: RegisteredApplication;
let database: Database.Database;

beforeAll(async () => {
  issuer = await startIssuer();
  own = await issuer.register({ deviceGrant: true });
  foreign = await issuer.register({ name: 'Other' });
  database = openBeside(issuer);
});
afterAll(async () => {
  database.close();
  await issuer.end();
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

function advance(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

describe('each cell of the table of device codes is what the database does', () => {
  const way: Readonly<Record<DeviceStage, readonly (DeviceEvent | 'expire')[]>> = {
    waiting: [],
    approved: ['approve'],
    denied: ['deny'],
    used: ['approve', 'poll'],
    expired: ['approve', 'expire'],
  };
  const events: readonly DeviceEvent[] = ['approve', 'deny', 'poll'];
  const refusals: Readonly<Record<DeviceStage, string | null>> = {
    waiting: 'pending',
    approved: null,
    denied: 'denied',
    used: 'unknown',
    expired: 'expired',
  };
  let number = 0;

  /** @returns whether it changed the code, and what a poll was answered. */
  async function take(id: number, hash: Buffer, event: DeviceEvent | 'expire'): Promise<readonly [boolean, unknown]> {
    const { deviceCodes } = issuer.services;
    if (event === 'expire') {
      advance(lifetimes.deviceCode);
      return [true, null];
    }
    if (event !== 'poll') {
      const decision = event === 'approve' ? 'approved' : 'denied';
      return [await deviceCodes.decide(id, decision, issuer.ids.alice, Date.now()), null];
    }
    const polled = await deviceCodes.poll(hash, own.application, '127.0.0.1');
    return [polled.ok, polled.ok ? null : polled.why];
  }

  const cells = (Object.keys(way) as DeviceStage[]).flatMap((stage) => events.map((event) => [stage, event] as const));
  test.each(cells)('%s and %s', async (stage, event) => {
    number += 1;
    const [hash, userCode] = [secretDigest(`device ${number}`), secretDigest(`user ${number}`)];
    await issuer.services.deviceCodes.create({
      applicationId: own.application.id,
      deviceCodeHash: hash,
      userCodeHash: userCode,
      scopes: ['read_api'],
      expiresAt: Date.now() + lifetimes.deviceCode,
      intervalSeconds: 5,
    });
    const waiting = await issuer.services.deviceCodes.waiting(userCode, Date.now());
    if (!waiting) throw new Error('the device does not wait');
    for (const step of way[stage]) await take(waiting.id, hash, step);
    const isWaiting = (await issuer.services.deviceCodes.waiting(userCode, Date.now())) !== null;
    expect(isWaiting).toBe(stage === 'waiting');
    const [changed, why] = await take(waiting.id, hash, event);
    expect(changed).toBe(nextOf(deviceTransitions, stage, event) !== null);
    if (event === 'poll') expect(why).toBe(refusals[stage]);
  });
});

const step = fc.record({
  do: fc.constantFrom(
    'approve',
    'exchange',
    'exchange',
    'wrong',
    'foreign',
    'refresh',
    'refresh',
    'use',
    'revoke',
    'wait',
  ),
  of: fc.nat(3),
  wait: fc.constantFrom(1000, 30_000, 61_000, 700_000, 31 * 86_400_000),
});

async function approve(model: Model): Promise<void> {
  const code = await issuer.code(own);
  const codeUntil = Date.now() + lifetimes.code;
  model.families.push({ code, codeUntil, isUsed: false, hasEnded: false, grantId: null });
}

async function exchange(model: Model, family: Family, how: 'exchange' | 'wrong' | 'foreign'): Promise<void> {
  const result = await issuer.services.oauth.exchangeCode({
    code: family.code,
    application: how === 'foreign' ? foreign.application : own.application,
    redirectUri: how === 'wrong' ? `${callback}/other` : callback,
    verifier: null,
    address: '127.0.0.1',
  });
  const ended = family.hasEnded ? 'ended' : Date.now() >= family.codeUntil ? 'expired' : null;
  const proof = how === 'wrong' ? 'redirect-uri' : null;
  const why = how === 'foreign' ? 'foreign' : family.isUsed ? 'replayed' : (ended ?? proof);
  expect(result.ok ? null : result.why).toBe(why);
  if (why === 'replayed') family.hasEnded = true;
  if (!result.ok) return;
  family.isUsed = true;
  family.grantId = result.grantId;
  model.add(family, null, result.token.accessToken, result.token.refreshToken);
}

async function refreshWith(model: Model, token: Token): Promise<void> {
  const { application } = own;
  const result = await issuer.services.oauth.refresh({
    refreshToken: token.refresh,
    application,
    scopes: null,
    address: '127.0.0.1',
  });
  const why = model.refusalOf(token);
  expect(result.ok ? null : result.why).toBe(why);
  if (why === 'reused') token.family.hasEnded = true;
  if (!result.ok) return;
  model.use(token);
  token.refreshedAt ??= Date.now();
  model.add(token.family, token, result.token.accessToken, result.token.refreshToken);
}

async function takeStep(model: Model, { do: what, of, wait }: { do: string; of: number; wait: number }): Promise<void> {
  const { oauth } = issuer.services;
  const family = model.families.at(-1 - of);
  const token = model.tokens.at(-1 - of);
  if (what === 'approve') await approve(model);
  else if (what === 'wait') advance(wait);
  else if (what === 'refresh' && token) await refreshWith(model, token);
  else if (what === 'use' && token) {
    const found = await oauth.byAccessToken(secretDigest(token.access), Date.now());
    const isValid = !token.family.hasEnded && !token.isReplaced && Date.now() < token.accessUntil;
    expect(found !== null).toBe(isValid);
    if (!found) return;
    await oauth.firstUse(found);
    model.use(token);
  } else if (what === 'revoke' && family && family.grantId !== null) {
    expect(await oauth.revokeGrant(family.grantId)).toBe(!family.hasEnded);
    family.hasEnded = true;
  } else if (family && (what === 'exchange' || what === 'wrong' || what === 'foreign')) {
    await exchange(model, family, what);
  }
}

test('codes and tokens do what the tables say, whatever comes in whatever order, and what has ended stays so', async () => {
  watchMoves(database, issuer.services.config.database !== null);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const model = new Model();
      await approve(model);
      for (const one of steps) await takeStep(model, one);
    }),
    { numRuns: 80 },
  );
  expect(database.prepare('SELECT what FROM moves').pluck().all()).toEqual([]);
});
