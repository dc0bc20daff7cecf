import { expect, test } from 'vitest';
import { FairSlots, SharedWork } from '../../../../src-main/service/measurements/transfers/fair-slots.ts';

/** Work that ends on demand, and records the order of its start. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const make = (name: string): SharedWork<string> =>
    new SharedWork(async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (work: SharedWork<string>, name: string): Promise<void> => {
    ends.get(name)?.();
    expect(await work.done).toBe(name);
    // The slot is free one turn later.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, make, end };
}

const alice = 1;
const bob = 2;
const carol = 3;

test("M2: one user does not take all slots, and others run before that user's queued work", async () => {
  const { begun, make, end } = works();
  const slots = new FairSlots(4, 2);
  const ofAlice = Array.from({ length: 20 }, (_, i) => make(`a${i}`));
  for (const work of ofAlice) slots.join(alice, work);
  expect(begun).toEqual(['a0', 'a1']);
  const ofBob = ['b0', 'b1', 'b2'].map(make);
  for (const work of ofBob) slots.join(bob, work);
  expect(begun).toEqual(['a0', 'a1', 'b0', 'b1']);
  slots.join(carol, make('c0'));
  await end(ofAlice[0]!, 'a0');
  await end(ofAlice[1]!, 'a1');
  // The client served last is the last in turn.
  expect(begun.slice(4)).toEqual(['a2', 'c0']);
  await end(ofBob[0]!, 'b0');
  expect(begun.slice(6)).toEqual(['b2']);
});

test('M2: work that several users wait for runs once, in the first turn of any of them', async () => {
  const { begun, make, end } = works();
  const slots = new FairSlots(1, 1);
  const first = make('first');
  slots.join(carol, first);
  const mine = Array.from({ length: 5 }, (_, i) => make(`a${i}`));
  const both = make('both');
  for (const work of [...mine, both]) slots.join(alice, work);
  slots.join(bob, both);
  await end(first, 'first');
  await end(mine[0]!, 'a0');
  expect(begun).toEqual(['first', 'a0', 'both']);
  await end(both, 'both');
  for (const [i, work] of mine.entries()) if (i > 0) await end(work, `a${i}`);
  expect(begun).toEqual(['first', 'a0', 'both', 'a1', 'a2', 'a3', 'a4']);
});

test('M2: work that fails releases its slot, and fails for all who wait for it', async () => {
  const slots = new FairSlots(1, 1);
  const broken = new SharedWork<never>(async () => {
    throw new Error('The disk failed.');
  });
  slots.join(alice, broken);
  slots.join(bob, broken);
  await expect(broken.done).rejects.toThrow('The disk failed.');
  const next = new SharedWork(async () => 'next');
  slots.join(alice, next);
  expect(await next.done).toBe('next');
});
