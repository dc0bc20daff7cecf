import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptsGzip } from '../../../../src-main/service/http/semantics/accepts-gzip.ts';
import {
  isPlainRange,
  maxParts,
  readRange,
  type ByteRange,
} from '../../../../src-main/service/http/semantics/byte-ranges.ts';

const r = (start: number, end: number): ByteRange => ({ start, end });

// With backtracking patterns these would exceed any timeout.
test('long runs of blanks cost no more than other characters', () => {
  const blanks = ' \t'.repeat(200_000);
  expect(readRange(`bytes=0-1${blanks}x`, 100)).toBe('whole');
  expect(readRange(`bytes=${blanks}0-1${blanks}`, 100)).toEqual([r(0, 2)]);
  expect(acceptsGzip(`br${blanks}x, gzip${blanks};${blanks}q=0.5`)).toBe(true);
  expect(acceptsGzip(`gzip${blanks};${blanks}q=0`)).toBe(false);
});

describe('a Range header against 100 bytes', () => {
  const cases: readonly (readonly [string, ReturnType<typeof readRange>])[] = [
    ['bytes=0-0', [r(0, 1)]],
    ['bytes=0-99', [r(0, 100)]],
    ['bytes=0-', [r(0, 100)]],
    ['bytes=99-', [r(99, 100)]],
    ['bytes=10-19', [r(10, 20)]],
    ['BYTES=10-19', [r(10, 20)]],
    ['bytes=0010-0019', [r(10, 20)]],
    ['bytes=90-1000', [r(90, 100)]],
    ['bytes=90-99999999999999999999999', [r(90, 100)]],
    ['bytes=-1', [r(99, 100)]],
    ['bytes=-100', [r(0, 100)]],
    ['bytes=-1000', [r(0, 100)]],
    ['bytes=-99999999999999999999999', [r(0, 100)]],
    ['bytes=0-1,5-6', [r(0, 2), r(5, 7)]],
    ['bytes= 0-1 ,\t5-6 ', [r(0, 2), r(5, 7)]],
    ['bytes=0-1,,5-6,', [r(0, 2), r(5, 7)]],
    // Parts keep the requested order, except those that merge.
    ['bytes=5-6,0-1', [r(5, 7), r(0, 2)]],
    ['bytes=-1,0-0', [r(99, 100), r(0, 1)]],
    ['bytes=0-5,3-9', [r(0, 10)]],
    ['bytes=0-5,6-9', [r(0, 10)]],
    ['bytes=50-59,0-5,3-9', [r(50, 60), r(0, 10)]],
    ['bytes=0-99,50-60', [r(0, 100)]],
    ['bytes=0-1,100-200', [r(0, 2)]],
    ['bytes=100-,0-1', [r(0, 2)]],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=9007199254740993-9007199254740993', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=-0,100-', 'unsatisfiable'],
    ['', 'whole'],
    ['bytes', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=,', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=abc', 'whole'],
    ['bytes=1', 'whole'],
    ['bytes=5-2', 'whole'],
    ['bytes=9007199254740993-9007199254740992', 'whole'],
    ['bytes=0-1,5-2', 'whole'],
    ['bytes=0-1,x', 'whole'],
    ['bytes=0 -1', 'whole'],
    ['bytes=0- 1', 'whole'],
    ['bytes =0-1', 'whole'],
    ['bytes=--1', 'whole'],
    ['bytes=0-1-2', 'whole'],
    ['bytes=+1-2', 'whole'],
    ['bytes=1e1-', 'whole'],
    ['bytes=0x0-0x1', 'whole'],
    ['bytes=\u0661-\u0662', 'whole'],
    ['bytes=0-1;5-6', 'whole'],
    ['items=0-1', 'whole'],
    ['none', 'whole'],
  ];
  test.each(cases)('%j', (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected);
  });

  test('no header means the whole file', () => {
    expect(readRange(undefined, 100)).toBe('whole');
  });

  test('an empty file ignores Range', () => {
    for (const header of ['bytes=0-', 'bytes=-1', 'bytes=0-0', 'bytes=-0']) expect(readRange(header, 0)).toBe('whole');
  });

  test('64 parts are sent, 65 are too many, and merging is done first', () => {
    const apart = (count: number) =>
      `bytes=${Array.from({ length: count }, (_, i) => `${i * 10}-${i * 10 + 1}`).join(',')}`;
    expect(readRange(apart(maxParts), 10_000)).toHaveLength(maxParts);
    expect(readRange(apart(maxParts + 1), 10_000)).toBe('whole');
    expect(readRange(`bytes=${Array.from({ length: 3000 }, (_, i) => `${i}-${i + 1}`).join(',')}`, 10_000)).toEqual([
      r(0, 3001),
    ]);
    expect(readRange(`bytes=${Array.from({ length: 3000 }, () => '0-').join(',')}`, 10_000)).toEqual([r(0, 10_000)]);
  });

  test('positions beyond 32 bits are exact', () => {
    const length = 2 ** 53 - 1;
    expect(readRange(`bytes=${length - 1}-`, length)).toEqual([r(length - 1, length)]);
    expect(readRange('bytes=4294967295-4294967296', length)).toEqual([r(4294967295, 4294967297)]);
  });
});

/** The header's meaning, computed naively: the set of named bytes. */
const spec = fc.oneof(
  fc
    .record({ first: fc.nat(60), more: fc.nat(20) })
    .map(({ first, more }) => ({ text: `${first}-${first + more}`, from: first, to: first + more })),
  fc.nat(60).map((first) => ({ text: `${first}-`, from: first, to: Number.POSITIVE_INFINITY })),
  fc.nat(60).map((suffix) => ({ text: `-${suffix}`, suffix })),
);

function named(specs: readonly ({ from: number; to: number } | { suffix: number })[], length: number): boolean[] {
  return Array.from({ length }, (_, byte) =>
    specs.some((one) => ('suffix' in one ? byte >= length - one.suffix : byte >= one.from && byte <= one.to)),
  );
}

describe('properties', () => {
  test('the parts are exactly the named bytes, none twice, none adjacent', () => {
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (specs, length) => {
        const answer = readRange(`bytes=${specs.map((one) => one.text).join(', ')}`, length);
        const wanted = named(specs, length);
        if (!wanted.includes(true)) {
          expect(answer).toBe('unsatisfiable');
          return;
        }
        if (typeof answer === 'string') throw new Error(answer);
        const sent = Array.from({ length }, () => false);
        for (const { start, end } of answer) {
          expect(start).toBeLessThan(end);
          for (let byte = start; byte < end; byte += 1) {
            expect(sent[byte]).toBe(false);
            sent[byte] = true;
          }
        }
        expect(sent).toEqual(wanted);
        for (const one of answer) for (const other of answer) if (one !== other) expect(one.end).not.toBe(other.start);
      }),
      { numRuns: 2000 },
    );
  });

  test('the first part holds the first satisfiable range of the header', () => {
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 50 }), (specs, length) => {
        const answer = readRange(`bytes=${specs.map((one) => one.text).join(',')}`, length);
        if (typeof answer === 'string') return;
        const first = specs.map((one) => named([one], length).indexOf(true)).find((byte) => byte >= 0) ?? -1;
        expect(answer[0]?.start).toBeLessThanOrEqual(first);
        expect(answer[0]?.end).toBeGreaterThan(first);
      }),
    );
  });

  test('any text has a result, and never a part outside the file', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^bytes=[0-9,\- \t]{0,40}$/)),
        fc.integer({ min: 0, max: 2 ** 53 - 1 }),
        (header, length) => {
          const answer = readRange(header, length);
          if (typeof answer === 'string') return;
          for (const { start, end } of answer) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(length);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ['bytes=0-0', true],
  ['bytes=5-', true],
  ['bytes=-5', true],
  ['bytes=9-5', false],
  ['bytes=-', false],
  ['bytes=0-1,3-4', false],
  ['bytes= 0-1', false],
  ['Bytes=0-1', false],
  ['bytes=0-999999999999999', true],
  ['bytes=0-1000000000000000', false],
])('%s is plain: %s', (header, plain) => {
  expect(isPlainRange(header)).toBe(plain);
});
