import { beforeAll, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from './random.ts';
import { begin, type BenchKind } from './simulated-benches.ts';
import { cutOff, downtimes, paused } from './simulated-network.ts';
import { naiveWatch, realWatch, simulate, type Alarm, type Simulated } from './simulate.ts';

const noticedWithinMs = 5 * minuteMs;

/**
 * A false alarm is a bench that becomes `silent`, about which administrators are told, although it
 * did not fail: it was off, asleep or cut off as it is its habit, or it ran, and the network, the
 * server or a clock was at fault. An alarm is right only for a bench that failed and did not report
 * since; one for each failure at most.
 */
function falseAlarms({ benches, alarms }: Simulated): readonly Alarm[] {
  const seen = new Set<string>();
  return alarms.filter(({ id, at }) => {
    const runs = benches.find((bench) => bench.id === id)?.runs ?? [];
    const place = runs.findIndex(({ ends, until }) => ends === 'failure' && until <= at);
    const isDown = place !== -1 && at < (runs[place + 1]?.from ?? Number.POSITIVE_INFINITY);
    const isRight = isDown && !seen.has(id);
    if (isRight) seen.add(id);
    return !isRight;
  });
}

/** Failures that were noticed later than five minutes after the last report, or after the server could hear again. */
function lateNotices({ benches, alarms, heardBefore }: Simulated): readonly string[] {
  return benches.flatMap(({ id, runs }) => {
    const place = runs.findIndex(({ ends }) => ends === 'failure');
    const failure = runs[place];
    if (!failure) return [];
    const back = runs[place + 1]?.from ?? Number.POSITIVE_INFINITY;
    const deadline = afterOutages(heardBefore.get(id) ?? failure.until) + noticedWithinMs;
    // Over before anybody could have noticed.
    if (back <= deadline) return [];
    const alarm = alarms.find((one) => one.id === id && one.at >= failure.until && one.at < back);
    return alarm && alarm.at <= deadline ? [] : [`${id} failed ${new Date(failure.until).toISOString()}`];
  });
}

function afterOutages(at: number): number {
  const outage = [...downtimes, ...cutOff, ...paused].find(
    ([from, until]) => from < at + noticedWithinMs && until > at - minuteMs,
  );
  return outage ? afterOutages(outage[1] + 2 * minuteMs) : at;
}

const explained = (alarms: readonly Alarm[]): readonly string[] =>
  alarms.map(({ id, at }) => `${id} ${new Date(at).toISOString()} after ${((at - begin) / dayMs).toFixed(1)} days`);

/** Further months than in every test run, such as 20. */
const further = Array.from({ length: Number(process.env['LONG_FLEET_TEST'] ?? 0) }, (_, at) => 1000 + at);

describe.each([1, 2, 3, ...further])('a month of a hundred benches, %i', (seed) => {
  let month: Simulated;
  beforeAll(async () => {
    month = await simulate(seed, realWatch);
  }, 300_000);

  test('has benches of each kind, and millions of reports', () => {
    expect(month.benches).toHaveLength(100);
    expect(month.reports).toBeGreaterThan(2_000_000);
  });

  test('has no false alarm', () => {
    expect(explained(falseAlarms(month))).toEqual([]);
  });

  test('has each failure noticed within five minutes', () => {
    expect(lateNotices(month)).toEqual([]);
  });

  test('tells of a server that hears nobody, instead of a hundred benches', () => {
    const kinds = new Set(month.muted.map(({ id }) => id.split('-')[0] as BenchKind));
    expect(kinds.has('alwaysOn')).toBe(true);
    for (const { at } of month.muted) expect(cutOff.some(([from, until]) => at > from && at < until)).toBe(true);
  });
});

test('a naive threshold finds false alarms in the same month', async () => {
  const month = await simulate(1, naiveWatch);
  expect(falseAlarms(month).length).toBeGreaterThan(100);
}, 300_000);
