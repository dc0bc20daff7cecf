import { describe, expect, test } from 'vitest';
import { rowsInView, scrollToRow } from '../../../src-renderer/ui/lists/rows-in-view.ts';

describe('rendered rows', () => {
  test('are those in view and ten beyond each edge', () => {
    expect(rowsInView({ first: 40, last: 55 }, 500)).toEqual({ first: 30, last: 65 });
  });
  test('end where the list ends', () => {
    expect(rowsInView({ first: 0, last: 15 }, 500)).toEqual({ first: 0, last: 25 });
    expect(rowsInView({ first: 490, last: 505 }, 500)).toEqual({ first: 480, last: 499 });
    expect(rowsInView({ first: 0, last: 15 }, 3)).toEqual({ first: 0, last: 2 });
  });
  test('are none of an empty list, also while the view is still at the end of a longer one', () => {
    for (const seen of [
      { first: 0, last: 15 },
      { first: 490, last: 505 },
    ]) {
      const { first, last } = rowsInView(seen, 0);
      expect(last - first + 1).toBe(0);
    }
  });
  test("are the last ones after a list has become shorter than the view's position", () => {
    expect(rowsInView({ first: 490, last: 505 }, 20)).toEqual({ first: 19, last: 19 });
  });
});

describe('scrolling to a row', () => {
  const view = { top: 500, height: 330 };
  test('does nothing while the whole row is visible', () => {
    expect(scrollToRow(view, 30, 50, 10)).toBeNull();
    expect(scrollToRow(view, 30, 50, 15)).toBeNull();
  });
  test('upwards puts the row right below the headings', () => {
    expect(scrollToRow(view, 30, 50, 9)).toBe(450);
    expect(scrollToRow(view, 30, 50, 0)).toBe(0);
  });
  test('downwards puts the row at the end of the view', () => {
    expect(scrollToRow(view, 30, 50, 16)).toBe(550);
    expect(scrollToRow(view, 0, 50, 16)).toBe(520);
  });
});
