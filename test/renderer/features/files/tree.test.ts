import { describe, expect, test } from 'vitest';
import type { FolderPage } from '../../../../src-renderer/api/requests/types.ts';
import { allFound } from '../../../../src-renderer/features/measurements/files/all-found.ts';
import { moveBy, moveIn, moveOut } from '../../../../src-renderer/features/measurements/files/moves.ts';
import {
  itemOf,
  newTree,
  pagesInView,
  revealed,
  rowsOf,
  withFolded,
  withPage,
  type Tree,
} from '../../../../src-renderer/features/measurements/files/tree.ts';

const file = (index: number, path: string): FolderPage['entries'][number] => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  file: { index, path, length: 10, crc32: 0, sha256: '', state: 'ok', problem: null, checked_at: null },
  folder: null,
});
const folder = (name: string, first: number, last: number): FolderPage['entries'][number] => ({
  name,
  file: null,
  folder: { first, last, bytes: (last - first + 1) * 10, problem_count: 0 },
});
const page = (next: number | null, ...entries: FolderPage['entries']): FolderPage => ({ entries, next });
const words = (tree: Tree): readonly string[] =>
  rowsOf(tree).map((row) => `${row.level} ${row.kind === 'more' ? `more of ${row.folder}` : row.name}`);

const root = withPage(newTree(5000), '', 0, page(null, folder('raw', 1, 4000), file(0, 'notes.txt')));

describe('a tree of folders', () => {
  test('begins with what is not loaded, and asks for it', () => {
    const tree = newTree(5000);
    expect(words(tree)).toEqual(['1 more of ']);
    expect(pagesInView(tree, rowsOf(tree), 0, 40)).toEqual([{ path: '', page: 0, after: -1 }]);
  });

  test('folds and unfolds, and what was unfolded below stays so', () => {
    expect(words(root)).toEqual(['1 raw', '1 notes.txt']);
    const open = withPage(
      withFolded(root, 'raw', false),
      'raw',
      0,
      page(700, folder('scan2', 1, 2000), folder('scan10', 2001, 4000)),
    );
    const deep = withPage(withFolded(open, 'raw/scan2', false), 'raw/scan2', 0, page(null, file(1, 'raw/scan2/a')));
    expect(words(deep)).toEqual(['1 raw', '2 scan2', '3 a', '2 scan10', '2 more of raw', '1 notes.txt']);
    const folded = withFolded(deep, 'raw', true);
    expect(words(folded)).toEqual(['1 raw', '1 notes.txt']);
    expect(words(withFolded(folded, 'raw', false))).toEqual(words(deep));
  });

  test('pages follow each other, and a page that is read again replaces the one before', () => {
    const open = withFolded(root, 'raw', false);
    const first = withPage(open, 'raw', 0, page(99, file(1, 'raw/a')));
    expect(withPage(open, 'raw', 1, page(null))).toBe(open);
    expect(pagesInView(first, rowsOf(first), 0, 40)).toContainEqual({ path: 'raw', page: 1, after: 99 });
    const second = withPage(first, 'raw', 1, page(null, file(2, 'raw/b')));
    expect(words(second)).toEqual(['1 raw', '2 a', '2 b', '1 notes.txt']);
    const bad = file(1, 'raw/a');
    const again = withPage(second, 'raw', 0, page(99, { ...bad, file: bad.file && { ...bad.file, state: 'missing' } }));
    expect(rowsOf(again).map((row) => itemOf(row)?.problems)).toEqual([0, 1, 0, 0]);
    expect(withPage(again, 'raw', 0, again.pages.get('raw')?.[0] ?? page(null))).toBe(again);
  });

  test('folders that are alone unfold, and all of a few files', () => {
    const alone = withPage(newTree(5000), '', 0, page(null, folder('only', 0, 4999)));
    expect([...alone.unfolded]).toEqual(['only']);
    const few = withPage(newTree(30), '', 0, page(null, folder('a', 0, 9), folder('b', 10, 29)));
    expect([...few.unfolded]).toEqual(['a', 'b']);
    // It stays folded once folded, although the page comes again.
    expect([...withPage(withFolded(few, 'a', true), '', 0, page(null)).unfolded]).toEqual(['b']);
    const path = 'x/'.repeat(40).slice(0, -1);
    expect(withPage({ ...newTree(3), pages: new Map() }, path, 0, page(null, folder('y', 0, 2))).unfolded.size).toBe(0);
  });

  test('a file is revealed by unfolding what is around it', () => {
    expect([...revealed(root, 'raw/scan2/a.dat').unfolded]).toEqual(['raw', 'raw/scan2']);
    expect(revealed(root, 'notes.txt')).toBe(root);
  });
});

describe('moves', () => {
  const tree = withPage(withFolded(root, 'raw', false), 'raw', 0, page(5, folder('scan2', 1, 9), file(10, 'raw/b')));
  // raw, scan2, b, more of raw, notes.txt
  const rows = rowsOf(tree);

  test('to the right: into a folder', () => {
    expect(moveIn(rows, 0)).toEqual({ kind: 'move', to: 1 });
    expect(moveIn(rows, 1)).toEqual({ kind: 'fold', path: 'raw/scan2', folded: false });
    expect(moveIn(rows, 2)).toBeNull();
    expect(moveIn(rowsOf(withFolded(tree, 'raw/scan2', false)), 1)).toBeNull();
  });

  test('to the left: out of a folder', () => {
    expect(moveOut(rows, 2)).toEqual({ kind: 'move', to: 0 });
    expect(moveOut(rows, 0)).toEqual({ kind: 'fold', path: 'raw', folded: true });
    expect(moveOut(rows, 4)).toBeNull();
  });

  test('up and down: past what is not loaded, and not beyond the ends', () => {
    expect([moveBy(rows, 2, 1), moveBy(rows, 4, -1), moveBy(rows, 4, 1), moveBy(rows, 0, -5)]).toEqual([4, 2, 4, 0]);
    expect([moveBy(rows, null, 1), moveBy(rows, null, -1)]).toEqual([0, 4]);
    expect(moveBy(rowsOf(newTree(9)), null, 1)).toBeNull();
    // The end of a folder that goes on.
    expect(moveBy(rows.slice(0, 4), 2, 1)).toBe(2);
  });
});

test('all that a search finds is read page after page, up to ten thousand', async () => {
  const asked: number[] = [];
  const read = async (files: number) =>
    allFound(async (after) => {
      asked.push(after);
      const first = after + 1;
      const last = Math.min(files, first + 500);
      return {
        files: Array.from({ length: last - first }, (_, at) => file(first + at, 'x').file).filter(
          (one) => one !== null,
        ),
        next: last < files ? last - 1 : null,
        total: null,
      };
    });
  const some = await read(1200);
  expect([some.items.length, some.more, asked]).toEqual([1200, false, [-1, 499, 999]]);
  const many = await read(10_001);
  expect([many.items.length, many.more]).toEqual([10_000, true]);
  expect((await read(10_000)).more).toBe(false);
});
