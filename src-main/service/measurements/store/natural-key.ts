import { foldedKey } from '../../database/text-search.ts';

/**
 * Returns a key whose order by code points is the natural order of paths: numbers by value, letters
 * case-insensitive, the files of a folder together. Only ASCII digits form numbers, and leading
 * zeros are ignored, so `scan_1` and `scan_01` have equal keys.
 */
export function naturalKey(filePath: string): string {
  return foldedKey(filePath).replaceAll('/', '\u0001').replaceAll(/\d+/g, numberKey);
}

/**
 * Prefixes a number with its count of digits, and that with its own length, so that comparing texts
 * compares numbers by value.
 */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+/, '');
  const count = String(significant.length);
  return `${count.length}${count}${significant}`;
}
