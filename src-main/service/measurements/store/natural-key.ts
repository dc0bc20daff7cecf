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

/**
 * Returns the natural key of a path in which folders are told apart although their natural keys are
 * equal (`scan_1` and `scan_01`, `A` and `a`), so that the files below each stand together. The key
 * of a folder, whose path ends with a slash, is the beginning of those of its files.
 */
export function treeKey(filePath: string): string {
  return filePath
    .split('/')
    .map((name) => (name === '' ? '' : `${naturalKey(name)}\u0001${name}`))
    .join('\u0001');
}
