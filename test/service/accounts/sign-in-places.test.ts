import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Happenings } from '../../../src-main/service/contract/notifications/happenings.ts';
import { coarseNetworkOf, noticeSignIn } from '../../../src-main/service/accounts/sessions/notice-sign-in.ts';
import { openBeside } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { until } from '../until.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const newFirefox = firefox.replaceAll('140.0', '141.0');
const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
const dayMs = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ watches: false });
});
afterAll(async () => service.end());

const signIn = async (userId: number, address: string, userAgent: string | null = firefox): Promise<void> =>
  noticeSignIn(service.services, userId, address, userAgent);

async function told(userId: number): Promise<Happenings> {
  const token = await service.token(userId);
  await until(async () => !(await service.services.deliveries.hasHappenings()), 'the outbox is empty');
  const response = await fetch(`${service.url}/api/v4/user/happenings`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as Happenings).filter(({ kind }) => kind === 'sign-in-new-place').toReversed();
}

test('a sign-in from a new place is told to the user alone, once, and not the first of all', async () => {
  const [alice, bob] = [await service.user('alice', true), await service.user('bob')];
  await signIn(bob, '192.0.2.10');
  expect(await told(bob)).toEqual([]);
  // The same network, and a newer version of the browser.
  await signIn(bob, '192.0.2.200', newFirefox);
  expect(await told(bob)).toEqual([]);
  await signIn(bob, '198.51.100.7');
  await signIn(bob, '198.51.100.8');
  await signIn(bob, '192.0.2.10', safari);
  await signIn(bob, '192.0.2.10', null);
  expect((await told(bob)).map(({ title }) => title)).toEqual([
    'by Firefox from 198.51.100.7',
    'by Safari from 192.0.2.10',
    'by an unknown program from 192.0.2.10',
  ]);
  expect(await told(alice)).toEqual([]);
});

test('a place that was not seen for 90 days is new again', async () => {
  const bob = (await service.services.users.byUsername('bob'))?.id ?? 0;
  const before = (await told(bob)).length;
  const database = openBeside(service);
  database.prepare('UPDATE sign_in_places SET seen_at = seen_at - ?').run(91 * dayMs);
  database.close();
  await signIn(bob, '192.0.2.10');
  await signIn(bob, '192.0.2.11');
  expect(await told(bob)).toHaveLength(before + 1);
});

test('at most 50 places of a user are kept', async () => {
  const bob = (await service.services.users.byUsername('bob'))?.id ?? 0;
  for (let at = 0; at < 60; at += 1) await signIn(bob, `203.0.${at}.1`);
  const database = openBeside(service);
  const { count } = database.prepare('SELECT count(*) AS count FROM sign_in_places').get() as { count: number };
  database.close();
  expect(count).toBe(50);
});

test.each([
  ['192.0.2.17', '192.0.2.0/24'],
  ['::ffff:192.0.2.17', '192.0.2.0/24'],
  ['2001:db8:5:9::1', '2001:db8:5::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
])('%s is in the network %s', (address, network) => {
  expect(coarseNetworkOf(address)).toBe(network);
});
