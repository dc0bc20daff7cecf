import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFirstRunStore } from '../../../src-renderer/context/first-run-store.ts';
import {
  describeSchedule,
  hourAt,
  painted,
  defaultSchedules,
} from '../../../src-renderer/features/settings/schedule/schedule.ts';

const none = '0'.repeat(168);
const all = '1'.repeat(168);

describe('the hours of the week', () => {
  it('a rectangle is painted from any corner, and nothing else', () => {
    const hour = fc.integer({ min: 0, max: 167 });
    fc.assert(
      fc.property(hour, hour, (from, to) => {
        const on = painted(none, from, to, true);
        expect(on).toBe(painted(none, to, from, true));
        expect(on).toMatch(/^[01]{168}$/);
        const width = Math.abs((from % 24) - (to % 24)) + 1;
        const height = Math.abs(Math.floor(from / 24) - Math.floor(to / 24)) + 1;
        expect(on.replaceAll('0', '')).toHaveLength(width * height);
        expect([on[from], on[to]]).toEqual(['1', '1']);
        expect(painted(on, from, to, false)).toBe(none);
      }),
    );
  });

  it.each([
    [none, 'At no hour'],
    [all, 'At all hours'],
    [painted(none, hourAt(2, 9), hourAt(2, 9), true), 'Wednesday 9:00 to 10:00'],
    [painted(none, hourAt(0, 22), hourAt(6, 23), true), 'Every day 22:00 to 24:00'],
    [
      painted(all, hourAt(0, 7), hourAt(4, 18), false),
      'Monday to Friday 0:00 to 7:00 and 19:00 to 24:00; Saturday and Sunday all day',
    ],
    [
      painted(painted(none, hourAt(0, 0), hourAt(0, 23), true), hourAt(6, 0), hourAt(6, 5), true),
      'Monday all day; Sunday 0:00 to 6:00',
    ],
  ])('%s in words', (schedule, words) => {
    expect(describeSchedule(schedule)).toBe(words);
  });

  it('the initial hours are accepted by the service', () => {
    for (const { schedule } of defaultSchedules) expect(schedule).toMatch(/^[01]{168}$/);
    expect(defaultSchedules.map(({ schedule }) => describeSchedule(schedule))).toEqual([
      'Monday to Friday 0:00 to 7:00 and 19:00 to 24:00; Saturday and Sunday all day',
      'Every day 0:00 to 7:00 and 19:00 to 24:00',
      'Saturday and Sunday all day',
      'At all hours',
      'At no hour',
    ]);
  });
});

describe('the first run', () => {
  /** The used part of a browser's storage. */
  function storageWith(kept: Record<string, string>): Storage {
    return {
      getItem: (key: string) => kept[key] ?? null,
      setItem: (key: string, value: string) => void (kept[key] = value),
      removeItem: (key: string) => void delete kept[key],
    } as unknown as Storage;
  }

  it('resumes at its step, and does not return after its end', () => {
    const kept: Record<string, string> = {};
    expect(createFirstRunStore(storageWith(kept)).getState().step).toBeNull();
    createFirstRunStore(storageWith(kept)).getState().goTo('sharing');
    const again = createFirstRunStore(storageWith(kept));
    expect(again.getState().step).toBe('sharing');
    again.getState().goTo(null);
    expect(kept).toEqual({});
  });

  it('works without storage, and with invalid content', () => {
    expect(createFirstRunStore(storageWith({ 'benchport.first-run': 'elsewhere' })).getState().step).toBeNull();
    const store = createFirstRunStore(null);
    store.getState().goTo('begin');
    expect(store.getState().step).toBe('begin');
  });
});
