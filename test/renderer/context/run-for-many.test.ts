import { expect, test } from 'vitest';
import { ApiError, Cancelled } from '../../../src-renderer/api/requests/problem.ts';
import { runForMany } from '../../../src-renderer/context/run-for-many.ts';
import { createToastStore } from '../../../src-renderer/context/stores.ts';
import { compareValues, nextSort } from '../../../src-renderer/ui/lists/sorted-rows.ts';

const refuse = (detail: string): never => {
  throw new ApiError({ title: '', detail, status: 409, requestId: null });
};
const many = (items: readonly number[], run: (item: number) => Promise<unknown>) => ({
  items,
  nameOf: (item: number) => `bench-${item}`,
  noun: 'token',
  verbs: { doing: 'Revoking', done: 'revoked' },
  run,
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('U12: fifty actions end in one message, with a progress bar meanwhile', async () => {
  const toasts = createToastStore();
  const seen: number[] = [];
  const shown = new Set<number>();
  toasts.subscribe((state) => {
    for (const { id } of state.toasts) shown.add(id);
    seen.push(state.toasts.length);
  });
  const done = await runForMany(
    { toasts },
    many(numbers(50), async () => {}),
  );
  expect(done).toHaveLength(50);
  expect(Math.max(...seen)).toBe(1);
  expect(shown.size).toBe(2);
  expect(toasts.getState().toasts).toMatchObject([{ kind: 'plain', text: '50 tokens revoked' }]);
});

test('U12: the message names failures and reasons, one line a reason', async () => {
  const toasts = createToastStore();
  await runForMany(
    { toasts },
    many(numbers(10), async (item) =>
      item < 5 ? refuse('It is in use.') : item === 9 ? refuse('It is gone.') : undefined,
    ),
  );
  const [told, ...more] = toasts.getState().toasts;
  expect(more).toEqual([]);
  expect(told).toMatchObject({ kind: 'bad', text: '4 of 10 tokens revoked' });
  expect(told?.detail?.split('\n')).toEqual([
    'bench-0, bench-1, bench-2 and 2 more: It is in use.',
    'bench-9: It is gone.',
  ]);
});

test('U12: a missing password ends all actions, after one question', async () => {
  const toasts = createToastStore();
  let asked = 0;
  const done = await runForMany(
    { toasts },
    many(numbers(10), async () => {
      asked += 1;
      throw new Cancelled();
    }),
  );
  expect([done.length, asked]).toEqual([0, 1]);
  expect(toasts.getState().toasts).toEqual([]);
});

test('U12: stopping skips the rest and says so', async () => {
  const toasts = createToastStore();
  const done = await runForMany(
    { toasts },
    many(numbers(30), async (item) => {
      if (item === 3) toasts.getState().toasts[0]?.action?.run();
    }),
  );
  expect(done.length).toBeLessThan(30);
  expect(toasts.getState().toasts).toMatchObject([
    { text: `${done.length} of 30 tokens revoked`, detail: 'The rest was not started.' },
  ]);
});

test('U12: names are in natural order, empty values first, and a second click reverses the order', () => {
  expect(['scan_10', 'scan_2', 'Scan_1'].toSorted(compareValues)).toEqual(['Scan_1', 'scan_2', 'scan_10']);
  expect([3, null, 1].toSorted(compareValues)).toEqual([null, 1, 3]);
  expect(nextSort({ by: 'name', order: 'asc' }, 'name', 'asc')).toEqual({ by: 'name', order: 'desc' });
  expect(nextSort<'name' | 'created'>({ by: 'name', order: 'asc' }, 'created', 'desc')).toEqual({
    by: 'created',
    order: 'desc',
  });
});
