import { expect, test } from 'vitest';
import {
  nothingSelected,
  rangeTo,
  selectOnly,
  selectRange,
  toggle,
  without,
} from '../../../src-renderer/features/measurements/list/selection.ts';
import { moveCursor } from '../../../src-renderer/ui/lists/row-selection.ts';

test('a click selects one, Ctrl adds and removes', () => {
  const one = selectOnly('b', 1);
  const two = toggle(one, 'd', 3);
  expect([...two.ids]).toEqual(['b', 'd']);
  expect([...toggle(two, 'b', 1).ids]).toEqual(['d']);
  expect([...one.ids]).toEqual(['b']);
});

test('Shift selects from the anchor in both directions, and the anchor stays', () => {
  const anchor = selectOnly('d', 3);
  expect(rangeTo(anchor, 5)).toEqual({ from: 3, to: 5 });
  const down = selectRange(anchor, ['d', 'e', 'f'], 5);
  expect(rangeTo(down, 1)).toEqual({ from: 1, to: 3 });
  expect(selectRange(down, ['b', 'c', 'd'], 1).anchor).toBe(3);
  expect(rangeTo(nothingSelected, 4)).toEqual({ from: 4, to: 4 });
});

test('the cursor stays inside the list', () => {
  expect(moveCursor(null, 1, 10)).toBe(0);
  expect(moveCursor(null, -1, 10)).toBe(9);
  expect(moveCursor(9, 1, 10)).toBe(9);
  expect(moveCursor(0, -20, 10)).toBe(0);
  expect(moveCursor(4, 1, 0)).toBe(0);
});

test('a removed row is no longer selected', () => {
  expect([...without({ ids: new Set(['a', 'b', 'c']), anchor: 0 }, new Set(['b'])).ids]).toEqual(['a', 'c']);
});
