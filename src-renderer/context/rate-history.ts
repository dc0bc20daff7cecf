/** A rate at a time, in milliseconds since 1970. */
export interface RatePoint {
  readonly at: number;
  readonly bytesPerSecond: number;
}

/** Seconds that the curve shows. */
export const curveSeconds = 60;

/** Milliseconds. A rate is valid until the next one; after this silence it is zero. */
const silence = 2500;

/** Adds a point, and drops those that have left the curve. */
export function withRate(points: readonly RatePoint[], added: RatePoint): readonly RatePoint[] {
  const oldest = added.at - (curveSeconds + 5) * 1000;
  return [...points.filter(({ at }) => at >= oldest && at < added.at), added];
}

/** One rate for each second of the last minute, the newest last. */
export function ratesBySecond(points: readonly RatePoint[], now: number): number[] {
  const rates = Array.from({ length: curveSeconds + 1 }, () => 0);
  let next = 0;
  let last: RatePoint | undefined;
  for (let second = 0; second <= curveSeconds; second += 1) {
    const time = now - (curveSeconds - second) * 1000;
    for (let point = points[next]; point !== undefined && point.at <= time; point = points[next]) {
      last = point;
      next += 1;
    }
    if (last !== undefined && time - last.at <= silence) rates[second] = last.bytesPerSecond;
  }
  return rates;
}

/**
 * The smallest of 1, 2, 4, 8 ... KiB/s that contains the highest rate: the scale then rarely
 * changes, and its halves are round.
 */
export function scaleOf(max: number): number {
  let scale = 1024;
  while (scale < max) scale *= 2;
  return scale;
}
