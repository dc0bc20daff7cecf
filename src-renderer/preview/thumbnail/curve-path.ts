import type { Curve } from '../messages/content.ts';

/** Size of the drawing in which the path lies. */
export const curveBox = { width: 120, height: 80 } as const;

/** Places of the path: more than a small picture has pixels. */
const maxPlaces = 240;
const margin = 3;

/** A curve as the path of an SVG element, from the lowest to the highest value at each place; empty without values. */
export function curvePath({ x, low, high }: Pick<Curve, 'x' | 'low' | 'high'>): string {
  const scaleX = scaleOf([x], margin, curveBox.width - margin);
  const scaleY = scaleOf([low, high], curveBox.height - margin, margin);
  const step = Math.max(1, Math.ceil(x.length / maxPlaces));
  let path = '';
  let isDrawing = false;
  for (let from = 0; from < x.length; from += step) {
    const [least, most] = boundsOf([low.subarray(from, from + step), high.subarray(from, from + step)]);
    if (least > most) {
      isDrawing = false;
      continue;
    }
    const at = scaleX(x[from] ?? 0);
    path += `${isDrawing ? 'L' : 'M'}${at} ${scaleY(least)}`;
    // A line to the same place makes a single value a dot.
    path += `L${at} ${scaleY(most)}`;
    isDrawing = true;
  }
  return path;
}

function boundsOf(parts: readonly Float64Array[]): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const part of parts) {
    for (const value of part) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return [least, most];
}

/** Maps the values to the places from `begin` to `end`; values that are all the same lie in the middle. */
function scaleOf(parts: readonly Float64Array[], begin: number, end: number): (value: number) => string {
  const [least, most] = boundsOf(parts);
  const range = most - least;
  return (value) => {
    const share = range > 0 && Number.isFinite(range) ? (value - least) / range : 0.5;
    return (begin + share * (end - begin)).toFixed(1);
  };
}
