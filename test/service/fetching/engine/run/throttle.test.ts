import { expect, test } from 'vitest';
import { Throttle } from '../../../../../src-main/service/fetching/engine/run/throttle.ts';

const seconds = (ms: number) => Math.round(ms / 1000);

test('the slower of the limits for all bytes and for a server decides', () => {
  const throttle = new Throttle();
  expect(throttle.take('near', 1_000_000)).toBe(0);
  throttle.limit(1000, new Map([['far', 100]]));
  expect(seconds(throttle.take('near', 5100))).toBe(5);
  expect(seconds(throttle.take('far', 410))).toBe(5);
  expect(seconds(throttle.take('far', 500))).toBe(9);
  expect([throttle.isLimited('near'), throttle.isLimited('far')]).toEqual([true, true]);
});

test('another limit forgets what was received before, and the same one does not', () => {
  const throttle = new Throttle();
  throttle.limit(null, new Map([['far', 100]]));
  throttle.take('far', 1010);
  throttle.limit(null, new Map([['far', 100]]));
  expect(seconds(throttle.take('far', 100))).toBe(11);
  throttle.limit(null, new Map([['far', 1000]]));
  expect(seconds(throttle.take('far', 1100))).toBe(1);
  expect(throttle.isLimited('near')).toBe(false);
  throttle.limit(null, new Map());
  expect([throttle.take('far', 1_000_000), throttle.isLimited('far')]).toEqual([0, false]);
});

test('a change of the limits ends a wait', async () => {
  const throttle = new Throttle();
  throttle.limit(1, new Map());
  const waited = throttle.rest(24 * 60 * 60_000, new AbortController().signal);
  throttle.limit(null, new Map());
  await waited;
});
