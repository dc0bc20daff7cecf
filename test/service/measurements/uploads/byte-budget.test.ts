import { expect, test } from 'vitest';
import { ByteBudget } from '../../../../src-main/service/measurements/uploads/direct/byte-budget.ts';

test('bytes at once never exceed the budget, larger ones run alone, and all have their turn in order', async () => {
  const budget = new ByteBudget(10);
  const order: number[] = [];
  let used = 0;
  const sizes = [4, 4, 4, 25, 1, 10, 3, 3, 3, 3];
  const failures = await Promise.allSettled(
    sizes.map(async (bytes, at) =>
      budget.run(bytes, async () => {
        order.push(at);
        used += bytes;
        expect(used <= 10 || used === bytes).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, at % 3));
        used -= bytes;
        if (at === 1) throw new Error('gives its bytes back too');
      }),
    ),
  );
  expect(order).toEqual([...sizes.keys()]);
  expect(failures.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});
