import { expect, test } from 'vitest';
import { bytesBetween, type MemberPlace } from '../../../src-main/service/archive/bytes-between.ts';
import { beginLayout } from '../../../src-main/service/archive/layout.ts';
import { zip64From } from '../../../src-shared/archive/zip-format.ts';

const sha256 = Buffer.alloc(32);

function placesOf(lengths: readonly number[]): readonly MemberPlace[] {
  const layout = beginLayout();
  return lengths.map((length, index) => {
    const path = `földer/${'x'.repeat(index % 7)}${index}.dat`;
    const { archiveOffset, directoryOffset } = layout.add({ path, length, crc32: 1, sha256, registeredAt: 0 });
    return { length, archive_offset: archiveOffset, directory_offset: directoryOffset };
  });
}

function sumOf(places: readonly MemberPlace[], first: number, last: number): { bytes: number; reads: number } {
  let reads = 0;
  const at = function* (index: number): Generator<number, MemberPlace> {
    reads += 1;
    yield index;
    const place = places[index];
    if (place === undefined) throw new RangeError(`no file ${index}`);
    return place;
  };
  const sum = bytesBetween(at, first, last);
  for (;;) {
    const step = sum.next();
    if (step.done === true) return { bytes: step.value, reads };
  }
}

const lengthsOfOne: readonly (readonly [string, readonly number[]])[] = [
  ['small files', [0, 1, 500, 0, 77, 123_456, 9]],
  ['files around 4 GiB', [5, zip64From - 1, 3, zip64From, 8, zip64From + 1, 0, 2, zip64From * 3, 7, 7, zip64From]],
  ['a first member at the limit', [zip64From - 40, 1, 1, zip64From, 1]],
];

test.each(lengthsOfOne)('sums the lengths of any files from their offsets: %s', (_, lengths) => {
  const places = placesOf(lengths);
  for (let first = 0; first < lengths.length; first += 1) {
    for (let last = first; last < lengths.length; last += 1) {
      const expected = lengths.slice(first, last + 1).reduce((sum, length) => sum + length, 0);
      expect(sumOf(places, first, last).bytes).toBe(expected);
    }
  }
});

test('reads few of many files, also where the archive is large', () => {
  const lengths = Array.from({ length: 20_000 }, (_, index) => (index % 5000 === 4 ? zip64From : 2_000_000));
  const places = placesOf(lengths);
  const { bytes, reads } = sumOf(places, 0, lengths.length - 1);
  expect(bytes).toBe(lengths.reduce((sum, length) => sum + length, 0));
  expect(reads).toBeLessThan(300);
});
