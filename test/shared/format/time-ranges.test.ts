import { expect, test } from 'vitest';
import { formatStep, formatTimeRange } from '../../../src-shared/format/time-ranges.ts';

/** A time of the local clock, as the screens show it. */
const local = (day: number, hours: number, minutes: number): string =>
  new Date(2026, 10, day, hours, minutes).toISOString();

test('a range names its day once, and both days where they differ', () => {
  expect(formatTimeRange(local(23, 11, 55), local(23, 12, 36))).toBe('23 Nov 2026, 11:55 to 12:36');
  expect(formatTimeRange(local(23, 23, 55), local(24, 0, 36))).toBe('23 Nov 2026, 23:55 to 24 Nov 2026, 00:36');
  expect(formatTimeRange('yesterday', 'today')).toBe('yesterday to today');
});

test('a step of a chart has its day where the chart is longer than one', () => {
  const at = Date.parse(local(23, 11, 55));
  expect(formatStep(at, 60, false)).toBe('11:55 to 11:56');
  expect(formatStep(at, 3600, true)).toBe('23 Nov 2026, 11:55 to 12:55');
});
