import type { Curve } from '../../messages/content.ts';

/** Most places of a curve that is sent to the page: two for each pixel of a wide window. */
export const maxPlaces = 4000;

/** Windows of a long row of values that are read instead of all of them. */
export interface SamplingPlan {
  /** First values of the windows, ascending. */
  readonly starts: readonly number[];
  readonly windowLength: number;
  readonly isSampled: boolean;
}

/**
 * Plans which values of a row are read: all of them, or as many windows as may be, evenly spread
 * from the first value to the last.
 *
 * @param total number of values.
 * @param maxValues most values that may be read.
 * @param windowLength values that are read together at best.
 */
export function planSampling(total: number, maxValues: number, windowLength: number): SamplingPlan {
  if (total <= maxValues) return { starts: [0], windowLength: total, isSampled: false };
  const window = Math.min(windowLength, maxValues);
  const count = Math.max(2, Math.floor(maxValues / window));
  const starts = Array.from({ length: count }, (_, at) => Math.floor(((total - window) * at) / (count - 1)));
  return { starts, windowLength: window, isSampled: true };
}

/** Collects values and reduces them to the lowest and highest of each bucket. */
export class CurveBuilder {
  readonly #x: number[] = [];
  readonly #low: number[] = [];
  readonly #high: number[] = [];

  /**
   * Adds values of neighbouring places, reduced to at most `places`. Values that are no finite
   * number are gaps.
   */
  add(x: ArrayLike<number>, y: ArrayLike<number>, places: number): void {
    const count = Math.min(x.length, y.length);
    const step = Math.max(1, Math.ceil(count / Math.max(1, places)));
    for (let from = 0; from < count; from += step) this.#bucket(x, y, from, Math.min(count, from + step));
  }

  #bucket(x: ArrayLike<number>, y: ArrayLike<number>, from: number, to: number): void {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let at = from; at < to; at += 1) {
      const value = y[at] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const place = x[from] ?? Number.NaN;
    if (!Number.isFinite(place)) return;
    this.#x.push(place);
    this.#low.push(low > high ? Number.NaN : low);
    this.#high.push(low > high ? Number.NaN : high);
  }

  /** The curve, in the order of its places. */
  build(named: Pick<Curve, 'xName' | 'yName' | 'of' | 'isSampled'>): Curve {
    const order = Array.from(this.#x.keys());
    const isAscending = this.#x.every((value, at) => at === 0 || value >= (this.#x[at - 1] ?? value));
    if (!isAscending) order.sort((one, other) => (this.#x[one] ?? 0) - (this.#x[other] ?? 0));
    const take = (from: readonly number[]): Float64Array => Float64Array.from(order, (at) => from[at] ?? Number.NaN);
    return { kind: 'curve', x: take(this.#x), low: take(this.#low), high: take(this.#high), ...named };
  }
}
