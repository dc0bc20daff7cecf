import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { backOff } from '../../../../src-main/service/fetching/queue/back-off.ts';
import { isOpen, nextOpening } from '../../../../src-main/service/fetching/queue/fetch-hours.ts';
import { moved } from '../../../../src-main/service/fetching/queue/move-fetches.ts';

test('waits grow from five seconds to ten minutes, never shorter than the server asks, a day at most', () => {
  const whole = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(
      whole,
      fc.option(fc.integer({ min: 0, max: 1e12 })),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, asked, random) => {
        const wait = backOff(failures, asked, random);
        expect(wait).toBeGreaterThanOrEqual(5000);
        expect(wait).toBeLessThanOrEqual(asked === null ? 600_000 : 86_400_000);
        expect(wait).toBeGreaterThanOrEqual(Math.min(asked ?? 0, 86_400_000));
        expect(backOff(failures + 3, asked, random)).toBeGreaterThanOrEqual(wait);
      },
    ),
  );
  expect([backOff(3, null, 0), backOff(3, null, 1)]).toEqual([15_000, 25_000]);
});

test('moving keeps what is not moved in order, and what is moved among itself', () => {
  const wish = fc.record({
    length: fc.integer({ min: 0, max: 12 }),
    chosen: fc.uniqueArray(fc.nat(11)),
    where: fc.constantFrom('first', 'earlier', 'later', 'last'),
  });
  fc.assert(
    fc.property(wish, ({ length, chosen, where }) => {
      const sequence = Array.from({ length }, (_none, index) => ({ id: index, position: index * 2.5 }));
      const ids = new Set(chosen.filter((id) => id < length));
      const places = new Map(sequence.map(({ id, position }) => [id, position]));
      for (const { id, position } of moved(sequence, ids, where)) places.set(id, position);
      const after = [...places].toSorted((a, b) => a[1] - b[1]).map(([id]) => id);
      const sorted = (some: readonly number[]) => some.toSorted((a, b) => a - b);
      expect(after.filter((id) => ids.has(id))).toEqual(sorted([...ids]));
      expect(after.filter((id) => !ids.has(id))).toEqual(sequence.map(({ id }) => id).filter((id) => !ids.has(id)));
      expect(new Set(places.values()).size).toBe(length);
      if (where === 'first') expect(after.slice(0, ids.size)).toEqual(sorted([...ids]));
      if (where === 'last') expect(after.slice(length - ids.size)).toEqual(sorted([...ids]));
      for (const id of ids) {
        const step = after.indexOf(id) - id;
        if (where === 'earlier') expect([-1, 0]).toContain(step);
        if (where === 'later') expect([0, 1]).toContain(step);
      }
    }),
  );
});

describe('hours of the week', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const only = (...hours: readonly number[]) =>
    Array.from({ length: 168 }, (_none, hour) => (hours.includes(hour) ? '1' : '0')).join('');

  test.each([
    // Sunday, 25 October 2026: half past two comes twice in Berlin, the hour from three on once.
    ['Europe/Berlin', '2026-10-24T22:00:00Z', 6 * 24 + 3, '2026-10-25T02:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', 6 * 24 + 2, '2026-10-25T00:00:00.000Z'],
    // Sunday, 29 March 2026: the hour from two on does not come; the next one is a week later.
    ['Europe/Berlin', '2026-03-28T23:30:00Z', 6 * 24 + 2, '2026-04-05T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-09-07T00:00:00Z', 9, '2026-09-07T03:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-03T14:10:00Z', 6 * 24 + 3, '2026-10-03T16:00:00.000Z'],
    ['UTC', '2026-09-07T09:30:00Z', 9, '2026-09-14T09:00:00.000Z'],
  ])('%s, from %s, hour %i: %s', (timeZone, from, hour, opening) => {
    process.env['TZ'] = timeZone;
    const at = nextOpening(only(hour), Date.parse(from));
    expect(at === null ? null : new Date(at).toISOString()).toBe(opening);
    expect(isOpen(only(hour), at ?? 0)).toBe(true);
    expect(isOpen(only(hour), (at ?? 0) - 1)).toBe(false);
  });

  test('never, when there are none', () => {
    expect(nextOpening(only(), Date.now())).toBeNull();
  });
});
