import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  findPlaces,
  type GeneratedPlace,
  type SourcePlace,
} from '../../../../src-main/service/errors/source-maps/source-map-places.ts';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sources = ['a.ts', 'b.ts'];

function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits[rest > 0 ? digit | 32 : digit] ?? '';
  } while (rest > 0);
  return text;
}

/** Maps a line and column to a position in the sources, or to none. */
interface Mapping {
  readonly column: number;
  readonly place: SourcePlace | null;
}

function mappingsOf(lines: readonly (readonly Mapping[])[]): string {
  let last: SourcePlace = { source: 0, line: 0, column: 0 };
  return lines
    .map((line) => {
      let column = 0;
      return line
        .map((one) => {
          let text = vlq(one.column - column);
          column = one.column;
          if (one.place) {
            text +=
              vlq(one.place.source - last.source) +
              vlq(one.place.line - last.line) +
              vlq(one.place.column - last.column);
            last = one.place;
          }
          return text;
        })
        .join(',');
    })
    .join(';');
}

/**
 * The specification's rule: the last mapping with the greatest column at or before the position.
 */
function expected(lines: readonly (readonly Mapping[])[], { line, column }: GeneratedPlace): SourcePlace | null {
  let best: Mapping | null = null;
  for (const one of lines[line] ?? []) if (one.column <= column && one.column >= (best?.column ?? 0)) best = one;
  return best?.place ?? null;
}

const column = fc.integer({ min: 0, max: 40 });
const place = fc.record({ source: fc.integer({ min: 0, max: 1 }), line: column, column });
const line = fc.array(fc.record({ column, place: fc.option(place) }), { maxLength: 12 });

it('many positions are resolved at once, in any order of positions and mappings', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 4 }),
      fc.array(fc.record({ line: fc.integer({ min: 0, max: 4 }), column }), { maxLength: 20 }),
      (lines, places) => {
        expect(findPlaces({ mappings: mappingsOf(lines), sources }, places)).toEqual(
          places.map((one) => expected(lines, one)),
        );
      },
    ),
  );
});

it('thousands of positions on one line of hundreds of thousands of mappings cost little more than one', () => {
  const mappings = 'CAAC,'.repeat(300_000);
  const spent = (many: number): number => {
    const before = process.threadCpuUsage().user;
    const places = Array.from({ length: many }, (_none, index) => ({ line: 0, column: 300_001 - index }));
    expect(findPlaces({ mappings, sources }, places)[0]).toEqual({ source: 0, line: 0, column: 300_000 });
    return process.threadCpuUsage().user - before;
  };
  spent(1);
  // Comparing each position with each mapping would take hundreds of times as long.
  expect(spent(2000)).toBeLessThan(20 * (spent(1) + spent(1)));
});
