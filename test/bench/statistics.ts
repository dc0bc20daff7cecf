/** Median and spread of some figures. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, min: at(0), max: at(sorted.length - 1) };
}

/**
 * The ratio `these` / `those` of each round. Variants alternate, so that disturbances affect both.
 */
export function ratios(these: readonly number[], those: readonly number[]): Spread {
  return spreadOf(these.map((value, round) => value / (those[round] ?? Number.NaN)));
}
