import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAll, parseSelection } from '../../../src-main/service/files/file-ranges.ts';

describe('a list of files', () => {
  test.each([
    ['0', 5, '0'],
    ['4', 5, '4'],
    ['0-0', 5, '0'],
    ['3-', 5, '3-4'],
    ['4-', 5, '4'],
    ['7,0-3,12-', 20, '0-3,7,12-19'],
    ['2,1,0', 5, '0-2'],
    ['0-3,2-4,4', 9, '0-4'],
    ['1,1,1', 5, '1'],
    ['0-8,2', 9, '0-8'],
  ])('%s of a measurement of %i files is %s', (text, count, normalised) => {
    expect(parseSelection(text, count).text).toBe(normalised);
  });

  test('is sorted and merged, and has all of its files and no others', () => {
    const range = fc
      .tuple(fc.nat(199), fc.nat(30))
      .map(([first, more]) => ({ first, last: Math.min(first + more, 199) }));
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 40 }), (ranges) => {
        const wanted = new Set(ranges.flatMap(({ first, last }) => indexes(first, last)));
        const { ranges: found, text } = parseSelection(
          ranges.map(({ first, last }) => `${first}-${last}`).join(','),
          200,
        );
        expect(found.flatMap(({ first, last }) => indexes(first, last))).toEqual([...wanted].toSorted((a, b) => a - b));
        expect(found.every(({ first }, at) => at === 0 || first > (found[at - 1]?.last ?? 0) + 1)).toBe(true);
        expect(parseSelection(text, 200).text).toBe(text);
      }),
    );
  });

  test('of all files is told from others', () => {
    expect(isAll(parseSelection('1-,0', 9), 9)).toBe(true);
    expect(isAll(parseSelection('1-', 9), 9)).toBe(false);
    expect(isAll(parseSelection('0-7', 9), 9)).toBe(false);
    expect(isAll(parseSelection('0,2-8', 9), 9)).toBe(false);
  });

  test.each([
    ['', '`files` is empty'],
    [',', 'has ""'],
    ['0,', 'has ""'],
    ['0,,1', 'has ""'],
    ['a', 'has "a"'],
    ['1.5', 'has "1.5"'],
    ['-1', 'has "-1"'],
    ['0 ,1', 'has "0 "'],
    ['0-1-2', 'has "0-1-2"'],
    ['01', 'has "01"'],
    ['0x1', 'has "0x1"'],
    ['\u0663', 'has "\u0663"'],
    ['2147483648', 'has "2147483648"'],
    ['9'.repeat(50), `has "${'9'.repeat(40)}..."`],
    ['3-2', 'has the range "3-2", which ends before it begins'],
    ['9', 'names file 9, which does not exist: this measurement has 9 files, counted from 0'],
    ['0-9', 'names file 9, which'],
    ['9-', 'names file 9, which'],
    ['12-15', 'names file 12, which'],
  ])('%j is refused', (text, words) => {
    expect(() => parseSelection(text, 9)).toThrow(words);
  });

  test('of a measurement without files is refused', () => {
    expect(() => parseSelection('0-', 0)).toThrow('This measurement has no files');
  });

  test('may have a thousand ranges that do not touch, and no more', () => {
    const list = (ranges: number) => Array.from({ length: ranges }, (_, at) => String(at * 2)).join(',');
    expect(parseSelection(list(1000), 5000).ranges.length).toBe(1000);
    expect(() => parseSelection(list(1001), 5000)).toThrow('1\u202f001 ranges of files that are not neighbours');
    expect(parseSelection(`${list(1001)},0-`, 5000).text).toBe('0-4999');
  });
});

function indexes(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
