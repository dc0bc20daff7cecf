import { expect, test } from 'vitest';
import { TokenBucket } from '../../../src-main/service/common/token-bucket.ts';

test('a token bucket refills at its rate, up to its size', () => {
  const bucket = new TokenBucket(10, 2, 1000);
  bucket.take(8);
  expect(bucket.refill(2000)).toBe(4);
  expect(bucket.refill(9000)).toBe(10);
});

test('an overdrawn token bucket pays its debt first, and tokens can be returned', () => {
  const bucket = new TokenBucket(10, 2, 0);
  bucket.take(14);
  expect(bucket.tokens).toBe(-4);
  expect(bucket.refill(1000)).toBe(-2);
  bucket.take(-5);
  expect(bucket.tokens).toBe(3);
});
