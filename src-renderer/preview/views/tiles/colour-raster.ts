import type { PageLayout, Raster } from '../../messages/raster.ts';
import { colourTable, rangeOf, type ColourMap } from '../colours.ts';

/** How values become colours: those up to `low` are dark, those from `high` on are bright. */
export interface Look {
  readonly low: number;
  readonly high: number;
  readonly map: ColourMap;
  readonly isInverted: boolean;
}

/** Values that are drawn as they are have their own range; of others the rare ones at either end are left out. */
export function automaticRange(
  layout: PageLayout | undefined,
  coarse: Raster | undefined,
): readonly [low: number, high: number] {
  if (layout !== undefined && layout.maxValue !== null) return [0, layout.maxValue];
  return coarse === undefined ? [0, 1] : rangeOf(coarse.values);
}

/** Colours values as pixels (RGBA); those that are no number stay transparent. */
export function colourRaster({ values, channels }: Raster, look: Look): Uint8ClampedArray<ArrayBuffer> {
  const { low, high, map, isInverted } = look;
  const table = colourTable(map);
  const pixels = new Uint8ClampedArray((values.length / channels) * 4);
  const span = high > low ? high - low : 1;
  for (let pixel = 0; pixel * channels < values.length; pixel += 1) {
    const to = pixel * 4;
    if (channels === 3) {
      for (let part = 0; part < 3; part += 1)
        pixels[to + part] = (((values[pixel * 3 + part] ?? 0) - low) / span) * 255;
      pixels[to + 3] = Number.isNaN(values[pixel * 3]) ? 0 : 255;
      continue;
    }
    const value = values[pixel] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const share = Math.min(1, Math.max(0, (value - low) / span));
    const colour = table[Math.round((isInverted ? 1 - share : share) * 255)];
    pixels[to] = colour?.[0] ?? 0;
    pixels[to + 1] = colour?.[1] ?? 0;
    pixels[to + 2] = colour?.[2] ?? 0;
    pixels[to + 3] = 255;
  }
  return pixels;
}
