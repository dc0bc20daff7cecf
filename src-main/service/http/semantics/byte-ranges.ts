/** Bytes from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a representation that a Range header selects: all of it, ranges, or nothing that
 * exists.
 */
export type RangeRequest = 'whole' | 'unsatisfiable' | readonly ByteRange[];

/**
 * More ranges than this, after merging, are answered with the whole file (RFC 9110 section 14.2
 * permits to ignore such requests).
 */
export const maxParts = 64;

const unit = 'bytes=';
/** Numbers of this many digits are exact in every implementation. */
const maxPlainDigits = 15;
const specifier = /^bytes=(.*)$/is;
const spec = /^(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * Parses a Range header for a length (RFC 9110 sections 14.1 and 14.2). A header with a syntax
 * error or in another unit is ignored; a range that starts past the end is left out; when none is
 * left the request is unsatisfiable. Ranges that overlap or touch are merged (section 15.3.7.2) at
 * the place of the first of them; otherwise the requested order is kept. An empty representation
 * ignores Range, as section 14.2 permits.
 */
export function readRange(header: string | undefined, length: number): RangeRequest {
  if (header === undefined || length === 0) return 'whole';
  const set = specifier.exec(header)?.[1];
  if (set === undefined) return 'whole';
  const requested: ByteRange[] = [];
  let specs = 0;
  for (const part of set.split(',')) {
    const text = withoutBlanks(part);
    // A recipient accepts empty list elements (section 5.6.1.2).
    if (text === '') continue;
    specs += 1;
    const range = readSpec(text, length);
    if (range === 'invalid') return 'whole';
    if (range) requested.push(range);
  }
  if (specs === 0) return 'whole';
  if (requested.length === 0) return 'unsatisfiable';
  const merged = requested.length === 1 ? requested : merge(requested);
  return merged.length > maxParts ? 'whole' : merged;
}

/**
 * Whether a Range header has one range in the plain form, `bytes=FIRST-LAST` without blanks, which
 * other servers read as `readRange` does.
 */
export function isPlainRange(header: string): boolean {
  const match = header.startsWith(unit) ? spec.exec(header.slice(unit.length)) : null;
  if (!match) return false;
  const [, first = '', last = '', suffix = ''] = match;
  const digits = Math.max(first.length, last.length, suffix.length);
  return digits <= maxPlainDigits && (last === '' || Number(first) <= Number(last));
}

/**
 * Trims without a pattern: one would take quadratic time on whitespace in the middle, a tenth of a
 * second for sixteen thousand characters.
 */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function readSpec(text: string, length: number): ByteRange | 'invalid' | null {
  const match = spec.exec(text);
  if (!match) return 'invalid';
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const count = Math.min(Number(suffix), length);
    return count === 0 ? null : { start: length - count, end: length };
  }
  if (first === undefined) return 'invalid';
  if (last !== undefined && last !== '' && isGreater(first, last)) return 'invalid';
  const start = Number(first);
  if (start >= length) return null;
  // A Number is exact below 2^53 and a length is never above it, so clamping gives the right byte
  // for any count of digits.
  return { start, end: last === undefined || last === '' ? length : Math.min(Number(last) + 1, length) };
}

// Compared as integers of any size: two numbers beyond 2^53 may be equal as Numbers.
function isGreater(a: string, b: string): boolean {
  return a.length < 16 && b.length < 16 ? Number(a) > Number(b) : BigInt(a) > BigInt(b);
}

function merge(requested: readonly ByteRange[]): readonly ByteRange[] {
  const sorted = requested
    .map((range, order) => ({ start: range.start, end: range.end, order }))
    .toSorted((a, b) => a.start - b.start);
  const merged: { start: number; end: number; order: number }[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) {
      last.end = Math.max(last.end, range.end);
      last.order = Math.min(last.order, range.order);
    } else merged.push(range);
  }
  return merged.toSorted((a, b) => a.order - b.order).map(({ start, end }) => ({ start, end }));
}
