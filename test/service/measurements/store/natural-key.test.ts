import fc from 'fast-check';
import { expect, it } from 'vitest';
import { naturalKey } from '../../../../src-main/service/measurements/store/natural-key.ts';

const compare = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(naturalKey(a)), Buffer.from(naturalKey(b)));
const digits = fc.string({ unit: fc.constantFrom('0', '1', '2', '8', '9'), minLength: 1, maxLength: 1200 });
const name = fc.string({
  unit: fc.constantFrom('a', 'B', 'ß', 'Ä', '_', '/', '.', '0', '1', '9', '10', '𝟙', '٣'),
  maxLength: 12,
});

it('U12: numbers in names are compared by their value', () => {
  fc.assert(
    fc.property(name, digits, digits, name, (before, one, other, after) => {
      // Digits before or after would become part of the number.
      const [start, end] = [before.replace(/\d+$/, ''), after.replace(/^\d+/, '')];
      const [a, b] = [BigInt(one), BigInt(other)];
      expect(Math.sign(compare(start + one + end, start + other + end))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

it('U12: leading zeros and case do not change the position of a name', () => {
  fc.assert(
    fc.property(name, digits, fc.nat(30), (before, number, zeros) => {
      const start = before.replace(/\d+$/, '');
      expect(naturalKey(start + '0'.repeat(zeros) + number)).toBe(naturalKey(start + number));
      expect(naturalKey(before.toUpperCase())).toBe(naturalKey(before.toLowerCase()));
    }),
  );
});

it('U12: files of a folder are together, before those of folders whose names continue', () => {
  fc.assert(
    fc.property(name, name, name, fc.constantFrom(' ', '-', '.', 'a', '0'), (folder, one, other, more) => {
      const start = `${folder.replace(/\d+$/, '')}x`;
      expect(compare(`${start}/${one}`, `${start}${more}${other}`)).toBeLessThan(0);
    }),
  );
});

it('U12: names with numbers, letters of many scripts and lone surrogates are sorted as people expect', () => {
  const sorted = [
    '1.csv',
    'B2',
    'b10',
    'run/a',
    'run/scan_1',
    'run/scan_02',
    'run/scan_2b',
    'run/scan_10',
    'run-2/a',
    `scan_${'9'.repeat(40)}`,
    `scan_1${'0'.repeat(40)}`,
  ];
  expect(sorted.toReversed().toSorted(compare)).toEqual(sorted);
  expect(naturalKey('ÜBER 7')).toBe(naturalKey('über 07'));
  expect(() => naturalKey('\uD800/\uDC00 1')).not.toThrow();
});
