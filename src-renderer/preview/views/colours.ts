/** How values become colours. */
export type ColourMap = 'heat' | 'grey';

type Colour = readonly [red: number, green: number, blue: number];

/** Anchors of rising lightness, so that more is brighter also without colours. */
const anchors: Readonly<Record<ColourMap, readonly Colour[]>> = {
  heat: [
    [8, 8, 40],
    [62, 20, 110],
    [142, 36, 104],
    [214, 76, 60],
    [250, 150, 40],
    [252, 246, 180],
  ],
  grey: [
    [0, 0, 0],
    [255, 255, 255],
  ],
};

/** Values that are compared to choose the range; more would not change it. */
const maxProbed = 50_000;

/** The range that is drawn: without the half percent at either end, which is often a dead pixel. */
export function rangeOf(values: Float32Array): readonly [low: number, high: number] {
  const step = Math.max(1, Math.floor(values.length / maxProbed));
  const probe: number[] = [];
  for (let at = 0; at < values.length; at += step) {
    const value = values[at] ?? Number.NaN;
    if (Number.isFinite(value)) probe.push(value);
  }
  const sorted = Float64Array.from(probe).toSorted();
  const low = sorted[Math.floor(sorted.length * 0.005)] ?? 0;
  const high = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.995))] ?? 1;
  if (high > low) return [low, high];
  const [least = 0, most = 1] = [sorted[0], sorted.at(-1)];
  return most > least ? [least, most] : [low, low + 1];
}

export interface Colouring {
  readonly map: ColourMap;
  readonly isLogarithmic: boolean;
}

/** Colours values as pixels (RGBA); those that are no number stay transparent. */
export function colourValues(values: Float32Array, { map, isLogarithmic }: Colouring): Uint8ClampedArray<ArrayBuffer> {
  const [low, high] = rangeOf(values);
  const table = colourTable(map);
  const pixels = new Uint8ClampedArray(values.length * 4);
  for (const [at, value] of values.entries()) {
    if (!Number.isFinite(value)) continue;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
    const shown = isLogarithmic ? Math.log1p(share * 999) / Math.log(1000) : share;
    const [red, green, blue] = table[Math.round(shown * 255)] ?? [0, 0, 0];
    pixels.set([red, green, blue, 255], at * 4);
  }
  return pixels;
}

/** 256 colours from dark to bright. */
export function colourTable(map: ColourMap): readonly Colour[] {
  const colours = anchors[map];
  return Array.from({ length: 256 }, (_, at) => {
    const place = (at / 255) * (colours.length - 1);
    const from = colours[Math.floor(place)] ?? [0, 0, 0];
    const to = colours[Math.ceil(place)] ?? from;
    const share = place - Math.floor(place);
    return [0, 1, 2].map(
      (part) => (from[part] ?? 0) + ((to[part] ?? 0) - (from[part] ?? 0)) * share,
    ) as unknown as Colour;
  });
}
