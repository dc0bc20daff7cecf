import { describe, expect, test } from 'vitest';
import { archiveAddress } from '../../../../src-renderer/features/measurements/files/archive-address.ts';
import {
  amountOf,
  chosenOf,
  nothingChosen,
  rangesOf,
  withItems,
  type Choice,
  type Item,
} from '../../../../src-renderer/features/measurements/files/choice.ts';
import { formatCount } from '../../../../src-shared/format/quantities.ts';

/** A file or folder whose files have as many bytes as their index. */
function item(first: number, last = first): Item {
  let bytes = 0;
  for (let index = first; index <= last; index += 1) bytes += index;
  return { first, last, bytes, problems: 0 };
}

const chosen = (...items: readonly Item[]): Choice => withItems(nothingChosen, items, true);

describe('a choice', () => {
  test('is ranges of the manifest, in order and merged', () => {
    const choice = chosen(item(7), item(12, 15), item(0, 3), item(8));
    expect(rangesOf(choice)).toEqual([
      { first: 0, last: 3 },
      { first: 7, last: 8 },
      { first: 12, last: 15 },
    ]);
    expect(archiveAddress('m 1', choice)).toEqual({
      href: '/measurements/m%201/archive?files=0-3,7-8,12-15',
      refusal: null,
    });
  });

  test('a folder swallows what was chosen in it, and counts its bytes once', () => {
    const choice = withItems(chosen(item(2), item(4), item(20)), [item(0, 9)], true);
    expect(choice).toHaveLength(2);
    expect(amountOf(choice)).toEqual({ files: 11, bytes: 45 + 20, problems: 0 });
  });

  test('files are left out of a chosen folder and come back', () => {
    const folder = chosen(item(0, 9));
    const without = withItems(folder, [item(3), item(6, 8)], false);
    expect(rangesOf(without).map(({ first, last }) => [first, last])).toEqual([
      [0, 2],
      [4, 5],
      [9, 9],
    ]);
    expect(amountOf(without)).toEqual({ files: 6, bytes: 45 - 3 - 21, problems: 0 });
    const again = withItems(without, [item(7)], true);
    expect(amountOf(again)).toEqual({ files: 7, bytes: 45 - 3 - 21 + 7, problems: 0 });
    expect(withItems(again, [item(0, 9)], true)).toEqual(folder);
    expect(withItems(again, [item(0, 9)], false)).toEqual([]);
  });

  test('tells all, some and none', () => {
    const choice = withItems(chosen(item(0, 9), item(20)), [item(3, 5)], false);
    expect(chosenOf(choice, item(0, 2))).toBe('all');
    expect(chosenOf(choice, item(0, 9))).toBe('some');
    expect(chosenOf(choice, item(3, 4))).toBe('none');
    expect(chosenOf(choice, item(15, 19))).toBe('none');
    expect(chosenOf(choice, item(15, 25))).toBe('some');
    expect(chosenOf(chosen(item(1), item(2), item(3)), item(1, 3))).toBe('all');
    expect(chosenOf(withItems(chosen(item(0, 9)), [item(3), item(4)], false), item(3, 4))).toBe('none');
  });

  test('agrees with a set of files, whatever is chosen and left out of folders', () => {
    // Folders of 32, 8 and 2 files, and files, as a tree has them.
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    let choice: Choice = nothingChosen;
    const files = new Set<number>();
    for (let step = 0; step < 2000; step += 1) {
      const items = Array.from({ length: 1 + random(3) }, () => {
        const size = [1, 2, 8, 32][random(4)] ?? 1;
        const first = Math.floor(random(64) / size) * size;
        return item(first, first + size - 1);
      });
      const wanted = random(2) === 0;
      choice = withItems(choice, items, wanted);
      for (const { first, last } of items)
        for (let index = first; index <= last; index += 1) {
          if (wanted) files.add(index);
          else files.delete(index);
        }
      const listed = rangesOf(choice).flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, at) => first + at),
      );
      expect(listed).toEqual([...files].toSorted((a, b) => a - b));
      expect(amountOf(choice).bytes).toBe(listed.reduce((sum, index) => sum + index, 0));
      const first = random(8) * 8;
      const folder = { first, last: first + 7 };
      const inside = listed.filter((index) => index >= folder.first && index <= folder.last).length;
      expect(chosenOf(choice, folder)).toBe(inside === 8 ? 'all' : inside === 0 ? 'none' : 'some');
    }
  });
});

describe('the address of a ZIP', () => {
  const everySecond = (count: number, from = 0): Choice =>
    chosen(...Array.from({ length: count }, (_, at) => item(from + at * 2)));

  test('takes a thousand ranges and no more', () => {
    expect(archiveAddress('m', everySecond(1000)).href).toMatch(/^\/measurements\/m\/archive\?files=0,2,4,.*,1998$/);
    expect(archiveAddress('m', everySecond(1001))).toEqual({
      href: null,
      refusal: `They are scattered over ${formatCount(1001)} places of the list; one ZIP takes at most ${formatCount(1000)}. Choose whole folders, or fewer files.`,
    });
  });

  test('takes 8 KiB of ranges and no more', () => {
    expect(archiveAddress('m', everySecond(900, 10_000_000)).href).not.toBeNull();
    const { href, refusal } = archiveAddress('m', everySecond(1000, 100_000_000));
    expect(href).toBeNull();
    expect(refusal).toContain('too many places of the list');
  });

  test('is refused for files that readers are refused', () => {
    const bad = { ...item(0, 9), problems: 2 };
    expect(archiveAddress('m', chosen(bad)).refusal).toBe(
      '2 of them are not as registered and refused to readers. Leave them out.',
    );
    const one = withItems(chosen(bad), [{ ...item(4), problems: 1 }], false);
    expect(archiveAddress('m', one).refusal).toMatch(/^One of them/);
    expect(archiveAddress('m', withItems(one, [{ ...item(5), problems: 1 }], false)).href).toBe(
      '/measurements/m/archive?files=0-3,6-9',
    );
  });
});
