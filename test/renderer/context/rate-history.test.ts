import { expect, test } from 'vitest';
import { ratesBySecond, scaleOf, withRate, type RatePoint } from '../../../src-renderer/context/rate-history.ts';

const at = (second: number, bytesPerSecond: number): RatePoint => ({ at: second * 1000, bytesPerSecond });

test('a rate is valid until the next one, and silence is no rate', () => {
  const rates = ratesBySecond([at(90, 5), at(92, 7), at(97, 9)], 100_000);
  expect(rates).toHaveLength(61);
  // The last eleven seconds, from 90 to 100.
  expect(rates.slice(-11)).toEqual([5, 5, 7, 7, 7, 0, 0, 9, 9, 9, 0]);
  expect(rates.slice(0, 50).every((rate) => rate === 0)).toBe(true);
});

test('values outside the curve are dropped, and a clock that goes back keeps the order', () => {
  const points = withRate(withRate(withRate([], at(10, 1)), at(20, 2)), at(100, 3));
  expect(points).toEqual([at(100, 3)]);
  expect(withRate(points, at(90, 4))).toEqual([at(90, 4)]);
});

test('the scale includes every rate and has a round middle', () => {
  expect(scaleOf(0)).toBe(1024);
  expect(scaleOf(70_000_000)).toBe(128 * 1024 ** 2);
});
