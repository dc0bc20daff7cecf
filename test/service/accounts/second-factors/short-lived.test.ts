import { expect, test } from 'vitest';
import { ShortLived } from '../../../../src-main/service/accounts/second-factors/short-lived.ts';

const soon = () => Date.now() + 60_000;

test('S96 a flood by one user keeps the records of others', () => {
  const pages = new ShortLived<string>(20, 5);
  pages.put('of alice', 'hers', soon(), 1);
  for (let count = 0; count < 100; count += 1) pages.put(`of bob ${count}`, 'his', soon(), 2);
  expect(pages.peek('of alice')).toBe('hers');
  expect(
    Array.from({ length: 100 }, (_, count) => pages.peek(`of bob ${count}`)).filter((value) => value !== null),
  ).toHaveLength(5);
  expect([pages.peek('of bob 94'), pages.take('of bob 95'), pages.take('of bob 95')]).toEqual([null, 'his', null]);
});

test('when many users fill it, the oldest records are evicted', () => {
  const pages = new ShortLived<string>(20, 5);
  for (let user = 0; user < 21; user += 1) pages.put(`of ${user}`, 'waits', soon(), user);
  expect([pages.peek('of 0'), pages.peek('of 1'), pages.peek('of 20')]).toEqual([null, 'waits', 'waits']);
});
