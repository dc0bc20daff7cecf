import { foldedKey } from '../../database/text-search.ts';

/**
 * A text whose order by code points is the natural order of paths: numbers in names by their value, letters without regard to case, and the files of a folder
 * together. Only ASCII digits are numbers; leading zeros do not count, so that `scan_1` and `scan_01` have equal keys.
 */
export function naturalKey(filePath: string): string {
  return foldedKey(filePath).replaceAll('/', '\u0001').replaceAll(/\d+/g, numberKey);
}

/** A number behind its count of digits, which stands behind the length of that count: each part is compared only where those before it are equal. */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+/, '');
  const count = String(significant.length);
  return `${count.length}${count}${significant}`;
}
