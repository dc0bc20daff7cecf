import { expect, test } from 'vitest';
import type { ErrorDetail, ErrorEventPage, ErrorPage } from '../../../../src-main/service/contract/errors.ts';
import { startViewWorld } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const hour = 3600_000;
const day = 24 * hour;
const now = Date.now();

const world = useWorld(startViewWorld);

const detail = async (id: string) => (await world.as.reporter('GET', `${world.errors}/${id}`)).body as ErrorDetail;
const iso = (time: number): string => new Date(time).toISOString();

test('U5: events of a bench that was offline have the time when they happened as first and last seen, also in the bars', async () => {
  let id = '';
  for (const age of [50, 30, 11]) id = await world.event({ type: 'Offline', at: now - age * hour, receivedAt: now });
  const shown = await detail(id);
  expect(shown).toMatchObject({ first_seen: iso(now - 50 * hour), last_seen: iso(now - 11 * hour), events: 3 });
  // 50 hours reach into a fourth day after midnight.
  expect(shown.days.slice(-4).reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(Math.max(...shown.days)).toBeLessThan(3);
  const listed = ((await world.as.reporter('GET', `${world.errors}?query=Offline`)).body as ErrorPage).errors[0];
  expect(listed?.hours.at(-1)).toBe(0);
  expect(listed?.hours.reduce((sum, count) => sum + count, 0)).toBe(1);
  const { event } = (await world.as.reporter('GET', `${world.errors}/${id}/events/latest`)).body as ErrorEventPage;
  expect([event.occurred_at, event.received_at]).toEqual([iso(now - 11 * hour), iso(now)]);
});

test('U5: a late event of an older release makes that release the first, not the last; the error keeps its latest title', async () => {
  await world.event({ type: 'Release', value: 'new words', release: 'qmr@1.5.0', at: now - hour });
  const id = await world.event({
    type: 'Release',
    value: 'old words',
    release: 'qmr@1.4.0',
    at: now - 7 * day,
    receivedAt: now,
  });
  expect(await detail(id)).toMatchObject({
    first_release: 'qmr@1.4.0',
    last_release: 'qmr@1.5.0',
    first_seen: iso(now - 7 * day),
    last_seen: iso(now - hour),
    value: 'new words',
  });
  expect((await detail(id)).releases.map(({ release }) => release)).toEqual(['qmr@1.4.0', 'qmr@1.5.0']);
});

test('U5: events written in one transaction follow these rules too, in any order', async () => {
  const ages = [3, 9, 1, 6];
  const ids = await Promise.all(
    ages.map((age) =>
      world.event({ type: 'Together', value: `age ${age}`, release: `r${age}`, at: now - age * hour, receivedAt: now }),
    ),
  );
  expect(await detail(ids[0] ?? '')).toMatchObject({
    first_release: 'r9',
    last_release: 'r1',
    first_seen: iso(now - 9 * hour),
    last_seen: iso(now - hour),
    value: 'age 1',
    events: 4,
  });
});

test('U5: an impossible time, beyond 30 days or in the future, is replaced by the time of receipt', async () => {
  const old = await world.event({ type: 'Ancient', at: now - 400 * day, receivedAt: now });
  const ahead = await world.event({ type: 'Ahead', at: now + 2 * day, receivedAt: now });
  for (const id of [old, ahead]) expect(await detail(id)).toMatchObject({ first_seen: iso(now), last_seen: iso(now) });
});
