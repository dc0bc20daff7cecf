import { expect, test } from 'vitest';
import { PartBuffers } from '../../../../src-main/service/measurements/uploads/direct/part-buffers.ts';

test('bytes at once never exceed the bound, longer ones run alone, and all have their turn in order', async () => {
  const buffers = new PartBuffers({ maxBytes: 12, length: 4 });
  const order: number[] = [];
  const inUse = new Set<ArrayBufferLike>();
  const made = new Set<ArrayBufferLike>();
  const sizes = [4, 2, 4, 25, 1, 10, 3, 3, 3, 3];
  const results = await Promise.allSettled(
    sizes.map(async (bytes, at) =>
      buffers.run(bytes, async (buffer) => {
        order.push(at);
        expect(buffer).toHaveLength(bytes);
        expect(inUse.has(buffer.buffer)).toBe(false);
        inUse.add(buffer.buffer);
        if (bytes <= 4) made.add(buffer.buffer);
        const held = [...inUse].reduce((sum, one) => sum + one.byteLength, 0);
        expect(held <= 12 || inUse.size === 1).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, at % 3));
        inUse.delete(buffer.buffer);
        if (at === 1) throw new Error('gives its bytes back too');
      }),
    ),
  );
  expect(order).toEqual([...sizes.keys()]);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(made.size).toBeLessThanOrEqual(3);
});
