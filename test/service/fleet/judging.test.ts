import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchExpectation } from '../../../src-main/service/contract/fleet/fleet.ts';
import { lookEveryMs, SilenceWatch } from '../../../src-main/service/fleet/silence/silence-watch.ts';
import type { OutboxRow } from '../../../src-main/service/notifications/store/deliveries-store.ts';
import { startTestService, type TestService } from '../start.ts';
import { aBench, sendReport, type ABench } from './a-bench.ts';

const minuteMs = 60_000;
let service: TestService;
let push: string;
let at = Date.now();

beforeAll(async () => {
  service = await startTestService();
  const alice = await service.user('alice', true);
  push = await service.token(alice, ['write_measurement']);
  // Nothing is told where nobody has a rule, and nothing is distributed while all are paused.
  const rule = {
    name: 'fleet',
    kinds: ['bench-silent' as const],
    everybody: true,
    project_id: null,
    channel: 'webhook' as const,
    to: 'https://hooks.lab.example/1',
    digest: 'daily' as const,
    quiet_from: null,
    quiet_until: null,
    paused: false,
  };
  ruleId =
    (await service.services.notificationRules.create({ user_id: alice, project_id: null }, rule, Date.now()))?.id ?? 0;
});
afterAll(async () => service.end());

let ruleId = 0;

async function benches(count: number, expected: BenchExpectation): Promise<readonly ABench[]> {
  const made = await Promise.all(Array.from({ length: count }, async () => aBench(service)));
  for (const one of made) {
    await sendReport(service, push, await one.report({ name: `bench-${one.id.slice(0, 4)}` }));
    await service.services.benches.change(one.id, { expected });
  }
  return made;
}

/** Watches for some minutes in which only these report; without a wait. */
async function watchFor(minutes: number, reporting: readonly ABench[]): Promise<void> {
  const { benches: store } = service.services;
  const moment = () => ({ wallMs: at, uptimeMs: at });
  const watch = new SilenceWatch(moment(), at);
  for (const end = at + minutes * minuteMs; at < end; at += lookEveryMs) {
    if ((at / lookEveryMs) % 6 < 1)
      for (const one of reporting) {
        const row = await service.services.benchList.byId(one.id);
        if (row)
          await store.receive(
            {
              benchId: one.id,
              userId: row.user_id,
              report: { ...row.report, sequence: row.sequence + 1 },
              clockAheadMs: 0,
            },
            at,
          );
      }
    const judgements = await watch.look(await store.sightings(), moment(), async (ids) => store.habits(ids));
    await store.judge(judgements, at);
  }
}

const stateOf = async ({ id }: ABench): Promise<string | undefined> =>
  (await service.services.benchList.byId(id))?.state;

async function told(): Promise<readonly Pick<OutboxRow, 'subject' | 'title'>[]> {
  const { deliveries } = service.services;
  // Some may still be in the outbox.
  await expect.poll(async () => deliveries.hasHappenings(), { timeout: 10_000 }).toBe(false);
  return (await deliveries.ofRule(ruleId, Number.MAX_SAFE_INTEGER, 50)).filter(({ kind }) => kind === 'bench-silent');
}

test('a bench that is always on and reports no more is silent within five minutes, and told once', async () => {
  const [lost, ...others] = await benches(3, 'always-on');
  if (!lost) throw new Error('there is no bench');
  await watchFor(4, others);
  expect(await stateOf(lost)).toBe('reporting');
  await watchFor(5, others);
  expect(await stateOf(lost)).toBe('silent');
  for (const one of others) expect(await stateOf(one)).toBe('reporting');
  expect(await told()).toMatchObject([{ subject: `bench:${lost.id}` }]);
  await watchFor(10, others);
  expect(await told()).toHaveLength(1);
  await sendReport(service, push, await lost.report());
  expect(await stateOf(lost)).toBe('reporting');
  for (const one of [lost, ...others]) await service.services.benches.remove(one.id);
});

test('one of which nothing is known is away, and one that may be off too', async () => {
  const [other] = await benches(1, 'always-on');
  const [unknown] = await benches(1, 'usual');
  const [mayBeOff] = await benches(1, 'may-be-off');
  if (!other || !unknown || !mayBeOff) throw new Error('there is no bench');
  const before = (await told()).length;
  await watchFor(12, [other]);
  expect([await stateOf(unknown), await stateOf(mayBeOff)]).toEqual(['away', 'away']);
  expect(await told()).toHaveLength(before);
  for (const one of [other, unknown, mayBeOff]) await service.services.benches.remove(one.id);
});

test('benches that are silent at once are told as one, and a server that hears nobody too', async () => {
  const all = await benches(6, 'always-on');
  const [first] = all;
  if (!first) throw new Error('there is no bench');
  const before = (await told()).length;
  await watchFor(10, [first]);
  const [news, ...more] = await told();
  expect(more).toHaveLength(before);
  expect(news).toMatchObject({ subject: 'fleet' });
  expect(news?.title).toMatch(/^5 benches at once: bench-/);
  for (const one of all) await sendReport(service, push, await one.report());
  await watchFor(12, []);
  expect(await Promise.all(all.map(stateOf))).toEqual(all.map(() => 'unheard'));
  const [cutOff] = await told();
  expect(cutOff?.title).toContain('no bench at all has reported since');
  expect(await told()).toHaveLength(before + 2);
  expect((await service.services.benchList.numbers()).unheard_since).not.toBeNull();
});
