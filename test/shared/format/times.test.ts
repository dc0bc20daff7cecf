import { expect, test } from 'vitest';
import { dayAfter, exactTime, expiryOf, formatDuration, formatRelative } from '../../../src-shared/format/times.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

test.each([
  ['2026-11-21T11:59:30.000Z', 'just now'],
  ['2026-11-21T11:59:00.000Z', '1 min ago'],
  ['2026-11-21T11:48:00.000Z', '12 min ago'],
  ['2026-11-21T11:00:20.000Z', '1 h ago'],
  ['2026-11-21T03:00:00.000Z', '9 h ago'],
  ['2026-11-20T12:00:00.000Z', 'yesterday'],
  ['2026-11-18T12:00:00.000Z', '3 days ago'],
  ['2026-11-24T12:00:00.000Z', 'in 3 days'],
  ['2026-11-22T12:00:00.000Z', 'tomorrow'],
  ['2026-03-03T12:00:00.000Z', '3 Mar'],
  ['2024-03-03T12:00:00.000Z', '3 Mar 2024'],
  ['not a time', 'not a time'],
])('%s is %s', (timestamp, text) => {
  expect(formatRelative(timestamp, now)).toBe(text);
});

test('the exact time has UTC in its first line', () => {
  expect(exactTime('2026-11-21T12:00:01.234Z').split('\n')[0]).toBe('2026-11-21 12:00:01 UTC');
  expect(exactTime('nonsense')).toBe('nonsense');
});

test.each([
  [0.2, '1 s'],
  [42, '42 s'],
  [240, '4 min'],
  [5400, '1 h 30 min'],
  [7190, '2 h'],
  [26 * 3600 + 600, '26 h'],
  [Infinity, ''],
  [-1, ''],
])('%d seconds are "%s"', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test('expiry says whether it is past, near or never', () => {
  expect(expiryOf(null, now)).toEqual({ text: 'never', urgency: 'none' });
  expect(expiryOf('2026-11-24', now)).toEqual({ text: 'in 3 days', urgency: 'soon' });
  expect(expiryOf('2026-12-21', now).urgency).toBe('none');
  expect(expiryOf('2026-11-20', now).urgency).toBe('over');
  expect(dayAfter(30, now)).toBe('2026-12-21');
});
