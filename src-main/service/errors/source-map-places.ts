import type { SourceMapFile } from '../contract/source-maps.ts';

/** A place in generated code; both count from 0. */
export interface GeneratedPlace {
  readonly line: number;
  readonly column: number;
}

/** The place in the sources that it came from; both count from 0. */
export interface SourcePlace {
  /** Index of the source. */
  readonly source: number;
  readonly line: number;
  readonly column: number;
}

interface Wanted {
  readonly column: number;
  /** In the order in which they were asked for. */
  readonly index: number;
  nearest: number;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = Int8Array.from({ length: 128 }, (_none, code) => digits.indexOf(String.fromCharCode(code)));
const comma = 0x2c;
const semicolon = 0x3b;
const longestNumber = 30;

/**
 * Finds places in one pass over the mappings (ECMA-426, "Mappings structure"), up to the last line that is asked for. Nothing is made of the other mappings,
 * of which a large program has millions.
 *
 * @returns for each place where it came from, null where the map says nothing of it.
 * @throws Error when the mappings cannot be read
 */
export function findPlaces({ mappings, sources }: Pick<SourceMapFile, 'mappings' | 'sources'>, places: readonly GeneratedPlace[]): (SourcePlace | null)[] {
  const found: (SourcePlace | null)[] = places.map(() => null);
  const byLine = new Map<number, Wanted[]>();
  for (const [index, { line, column }] of places.entries()) {
    const ofLine = byLine.get(line) ?? [];
    ofLine.push({ column, index, nearest: -1 });
    byLine.set(line, ofLine);
  }
  const lastLine = Math.max(-1, ...byLine.keys());
  // What a segment says is added to what the one before said: its column to that of the line, everything else to that of the whole file.
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
  return found;

  /** Reads numbers to the end of the segment; answers how many there are. */
  function readSegment(): number {
    let count = 0;
    while (at < mappings.length) {
      let number = 0;
      let shift = 0;
      let value: number;
      do {
        value = values[mappings.charCodeAt(at)] ?? -1;
        if (value < 0 || shift > longestNumber) throw new Error('the mappings hold what is no number');
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

  function take(ofLine: readonly Wanted[], count: number): void {
    const [column = 0, source = 0, sourceLine = 0, sourceColumn = 0] = fields;
    for (const one of ofLine) {
      if (column > one.column || column < one.nearest) continue;
      one.nearest = column;
      // One number alone says that this came from no source.
      found[one.index] = count >= 4 && source >= 0 && source < sources.length ? { source, line: sourceLine, column: sourceColumn } : null;
    }
  }
}
