/** Arguments of random operations. Equal seeds draw equal values. */
export interface Draw {
  /** A whole number from 0 up to, but not including, `below`. */
  readonly number: (below: number) => number;
  readonly one: <Value>(values: readonly Value[]) => Value;
  readonly maybe: <Value>(value: Value) => Value | null;
  readonly yes: () => boolean;
  /** An id that may exist, or not. */
  readonly id: () => number;
  readonly bytes: (length: number) => Buffer;
  /** A text with what engines treat differently: case, accents, signs of LIKE, other scripts. */
  readonly text: () => string;
  /** Milliseconds before, at or after a time. */
  readonly near: (time: number) => number;
}

const words = [
  'alpha',
  'Alpha',
  'ÄRGER',
  'ärger',
  'Straße',
  'STRASSE',
  '50%',
  'a_b',
  String.raw`a\b`,
  'λάμδα',
  '日本',
  '',
].concat(['I', 'ı', 'İ', 'é', 'e\u0301', '😀', ' x', "o'neil", '"q"', 'a'.repeat(300)]);

/** The generator "mulberry32". */
export function drawing(seed: number): Draw {
  let state = seed;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const number = (below: number): number => Math.floor(unit() * below);
  const one = <Value>(values: readonly Value[]): Value => {
    const value = values[number(values.length)];
    if (value === undefined) throw new Error('nothing to choose from');
    return value;
  };
  return {
    number,
    one,
    maybe: (value) => (number(3) === 0 ? null : value),
    yes: () => number(2) === 0,
    id: () => 1 + number(12),
    bytes: (length) => Buffer.from(Array.from({ length }, () => number(256))),
    text: () => one(words),
    near: (time) => time + one([-86_400_000, -3_600_000, -1, 0, 1, 3_600_000, 86_400_000]),
  };
}
