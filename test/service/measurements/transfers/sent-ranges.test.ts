import { expect, test } from 'vitest';
import { addRange, hasRange } from '../../../../src-main/service/measurements/transfers/sent-ranges.ts';

const bytes = 64;

test('U2: ranges equal a map of single bytes, whatever is added in whatever order', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = numbers(seed);
    const map: boolean[] = Array.from({ length: bytes }, () => false);
    const ends: number[] = [];
    for (let i = 0; i < 30; i += 1) {
      const from = next(bytes);
      const to = from + 1 + next(Math.min(8, bytes - from));
      addRange(ends, from, to);
      map.fill(true, from, to);
      expect(ends, `seed ${seed}`).toEqual(endsOf(map));
      const asked = next(bytes);
      const end = asked + 1 + next(bytes - asked);
      expect(hasRange(ends, asked, end), `seed ${seed}, ${asked} to ${end} of ${ends.join()}`).toBe(
        map.slice(asked, end).every(Boolean),
      );
    }
  }
});

test('U2: ranges may begin and end beyond 32 bits', () => {
  const ends: number[] = [];
  addRange(ends, 2 ** 40, 2 ** 40 + 5);
  addRange(ends, 2 ** 33, 2 ** 33 + 1);
  addRange(ends, 2 ** 33 + 1, 2 ** 40);
  expect(ends).toEqual([2 ** 33, 2 ** 40 + 5]);
});

/** Start and end of each run of true values. */
function endsOf(map: readonly boolean[]): number[] {
  return [...map, false].flatMap((has, at) => (has !== (map[at - 1] ?? false) ? [at] : []));
}

/** Repeatable pseudo-random integers below a bound (Park and Miller's generator). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
