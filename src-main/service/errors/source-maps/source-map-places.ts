import type { SourceMapFile } from '../../contract/source-maps.ts';

/** A position in generated code; line and column count from 0. */
export interface GeneratedPlace {
  readonly line: number;
  readonly column: number;
}

/** The position in the sources; line and column count from 0. */
export interface SourcePlace {
  /** Index of the source. */
  readonly source: number;
  readonly line: number;
  readonly column: number;
}

interface Wanted {
  readonly column: number;
  /** Index in the list of requested positions. */
  readonly index: number;
  /**
   * The last column of a mapping up to this position and after the previous requested one; -1 for
   * none.
   */
  nearest: number;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = Int8Array.from({ length: 128 }, (_none, code) => digits.indexOf(String.fromCharCode(code)));
const comma = 0x2c;
const semicolon = 0x3b;
const maxNumberLength = 30;

/**
 * Finds positions in one pass over the mappings (ECMA-426, "Mappings structure"), up to the last
 * requested line. Other mappings are not stored, because a large program has millions.
 *
 * @returns the source of each position, null where the map has none.
 * @throws Error when the mappings cannot be read
 */
export function findPlaces(
  { mappings, sources }: Pick<SourceMapFile, 'mappings' | 'sources'>,
  places: readonly GeneratedPlace[],
): (SourcePlace | null)[] {
  const found: (SourcePlace | null)[] = places.map(() => null);
  const byLine = new Map<number, Wanted[]>();
  for (const [index, { line, column }] of places.entries()) {
    const ofLine = byLine.get(line) ?? [];
    ofLine.push({ column, index, nearest: -1 });
    byLine.set(line, ofLine);
  }
  for (const ofLine of byLine.values()) ofLine.sort((a, b) => a.column - b.column);
  const lastLine = Math.max(-1, ...byLine.keys());
  // Each field of a segment is relative to the previous segment: the column within the line, all
  // others within the file.
  const fields = [0, 0, 0, 0, 0];
  let line = 0;
  let wanted = byLine.get(line);
  let at = 0;
  while (line <= lastLine && at < mappings.length) {
    const code = mappings.charCodeAt(at);
    if (code === semicolon) {
      line += 1;
      fields[0] = 0;
      wanted = byLine.get(line);
      at += 1;
    } else if (code === comma) at += 1;
    else {
      const count = readSegment();
      if (wanted) take(wanted, count);
    }
  }
  for (const ofLine of byLine.values()) fillIn(ofLine);
  return found;

  /** Reads the numbers of a segment; returns how many there are. */
  function readSegment(): number {
    let count = 0;
    while (at < mappings.length) {
      let number = 0;
      let shift = 0;
      let value: number;
      do {
        value = values[mappings.charCodeAt(at)] ?? -1;
        if (value < 0 || shift > maxNumberLength) throw new Error('the mappings hold what is no number');
        number += (value & 31) << shift;
        shift += 5;
        at += 1;
      } while (value & 32);
      if (count < fields.length) fields[count] = (fields[count] ?? 0) + (number & 1 ? -(number >>> 1) : number >>> 1);
      count += 1;
      const after = mappings.charCodeAt(at);
      if (after === comma || after === semicolon) break;
    }
    return count;
  }

  /**
   * A line may have millions of mappings and thousands of requested positions, so each mapping is
   * stored only for the first position after it.
   */
  function take(ofLine: readonly Wanted[], count: number): void {
    const [column = 0, source = 0, sourceLine = 0, sourceColumn = 0] = fields;
    let [low, high] = [0, ofLine.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ofLine[middle]?.column ?? 0) < column) low = middle + 1;
      else high = middle;
    }
    const one = ofLine[low];
    if (!one || column < one.nearest) return;
    one.nearest = column;
    // A segment with one number has no source.
    found[one.index] =
      count >= 4 && source >= 0 && source < sources.length ? { source, line: sourceLine, column: sourceColumn } : null;
  }

  /** A position without a mapping of its own takes that of the position before it. */
  function fillIn(ofLine: readonly Wanted[]): void {
    let before: Wanted | undefined;
    for (const one of ofLine) {
      if (before && one.nearest < 0) {
        one.nearest = before.nearest;
        found[one.index] = found[before.index] ?? null;
      }
      before = one;
    }
  }
}
