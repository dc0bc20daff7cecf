import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSelfSigned } from '../../../../src-main/service/http/server/self-signed.ts';
import { tellOfEndings, type NamedEndings } from '../../../../src-main/service/notifications/watching/ending-soon.ts';
import { SteadyClock } from '../../../../src-main/service/notifications/watching/steady-clock.ts';
import { startNotifyWorld, type NotifyWorld } from '../notify-world.ts';
import { toldOf } from './told.ts';

const dayMs = 86_400_000;
let world: NotifyWorld;
let now: number;
beforeAll(async () => {
  world = await startNotifyWorld();
  now = Date.now();
});
afterAll(async () => world.end());

const look = async (
  days: number,
  servers: readonly NamedEndings[] = [],
  spokenTls: Parameters<typeof tellOfEndings>[0]['spokenTls'] = () => null,
): Promise<void> =>
  tellOfEndings({ ...world.service.services, spokenTls, servers: async () => servers }, now + days * dayMs);
const told = async (as?: string) => toldOf(world, 'ending-soon', as);

test('a token is told to its owner 14 days, 3 days and 1 day before it expires, each once', async () => {
  const { id: bob, token } = await world.bob();
  await world.service.token(bob, ['read_api'], now + 30 * dayMs);
  await look(15);
  expect(await told(token)).toEqual([]);
  for (const days of [16, 17, 26.9]) await look(days);
  expect(await told(token)).toHaveLength(1);
  for (const days of [27.1, 28, 28.9, 29.1, 29.9, 30.1, 31]) await look(days);
  expect((await told(token)).map(({ title }) => title)).toEqual(
    Array<string>(3).fill(`The token test expires on ${new Date(now + 30 * dayMs).toISOString().slice(0, 10)} (UTC)`),
  );
  // Not even an administrator hears of it.
  expect(await told()).toEqual([]);
});

test('a token is not told of that was made for as long as it has, or was revoked', async () => {
  const { id: bob, token } = await world.bob();
  const before = (await told(token)).length;
  await world.service.token(bob, ['read_api'], now + dayMs / 2);
  const { tokens } = world.service.services;
  await world.service.token(bob, ['read_api'], now + 60 * dayMs);
  const [newest] = await tokens.ofUser(bob);
  await tokens.revoke(newest?.id ?? 0);
  for (const days of [0, 0.4, 47, 58, 59.5]) await look(days);
  expect(await told(token)).toHaveLength(before);
});

test('many tokens of one user are told in one', async () => {
  const { id: bob, token } = await world.bob();
  const before = (await told(token)).length;
  for (let at = 0; at < 30; at += 1) await world.service.token(bob, ['read_api'], now + 200 * dayMs);
  await look(190);
  expect((await told(token)).slice(before)).toMatchObject([
    { title: '30 tokens and certificates expire within 14 days' },
  ]);
});

test('certificates and tokens of the machine are told to administrators', async () => {
  const { token } = await world.bob();
  const ofBob = (await told(token)).length;
  const { cert } = await makeSelfSigned(['localhost'], now);
  const { validToDate } = new X509Certificate(cert);
  const ends = (validToDate.getTime() - now) / dayMs;
  const material = { cert, key: '', sha256: '', selfSigned: true, publicKeyPin: '' };
  const server = { id: 3, name: 'nas', certificate: now + (ends + 2) * dayMs, token: now + (ends + 9) * dayMs };
  const none = { id: 4, name: 'other', certificate: null, token: null };
  await look(ends - 2, [server, none], () => material);
  await look(ends - 1.9, [server, none], () => material);
  expect((await told()).map(({ title }) => title.replace(/ expires on .*/, ''))).toEqual([
    'The certificate of this server',
    'The certificate of nas',
    'The token for nas',
  ]);
  expect(await told(token)).toHaveLength(ofBob);
});

test('a clock that jumps tells nothing until it is right again, or has held for a day', async () => {
  let [wall, up] = [now, 1000];
  const clock = new SteadyClock(
    { now: async () => wall, daysAhead: 0 },
    () => wall,
    () => up,
  );
  const pass = (jumpMs: number, passedMs: number): void => {
    wall += jumpMs + passedMs;
    up += passedMs;
  };
  expect(await clock.now()).toBe(now);
  pass(0, 600_000);
  expect(await clock.now()).toBe(wall);
  pass(300 * dayMs, 600_000);
  expect(await clock.now()).toBe(null);
  pass(-300 * dayMs, 600_000);
  expect(await clock.now()).toBe(wall);
  pass(-40 * dayMs, 1000);
  expect(await clock.now()).toBe(null);
  pass(0, dayMs);
  await clock.now();
  pass(0, 1000);
  expect(await clock.now()).toBe(wall);
});
