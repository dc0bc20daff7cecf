import { count, flag, list, literal, oneOf, orNull, record, singles, text } from './check.ts';

/** A page of a picture that is read by tiles. */
export interface PageLayout {
  readonly kind: 'layout';
  /** How pages are chosen, such as by channel and depth; `labels` name the places, or are empty. */
  readonly axes: readonly { readonly name: string; readonly length: number; readonly labels: readonly string[] }[];
  /** Whether the file has more pages than were counted. */
  readonly hasMore: boolean;
  /** Resolutions, the largest first, all in pixels. */
  readonly levels: readonly {
    readonly width: number;
    readonly height: number;
    readonly tileWidth: number;
    readonly tileHeight: number;
  }[];
  /** Values of a pixel. */
  readonly samples: number;
  /** Whether the page has colours of its own. */
  readonly hasColours: boolean;
  /** Whether small values are bright. */
  readonly isInverted: boolean;
  /** The largest value that can be, where values are drawn as they are; null where a range is chosen. */
  readonly maxValue: number | null;
}

/** Pixels of a tile, or of a whole page in few pixels, row by row from the top. */
export interface Raster {
  readonly kind: 'raster';
  readonly width: number;
  readonly height: number;
  /** Values of a pixel: one, or red, green and blue. */
  readonly channels: 1 | 3;
  /** NaN where nothing was read. */
  readonly values: Float32Array;
  /** `sampled`: only parts that are spread over the page were read. */
  readonly extent: 'whole' | 'reduced' | 'sampled';
}

export const layout = record<PageLayout>({
  kind: literal('layout'),
  axes: list(record({ name: text, length: count, labels: list(text, 500) }), 4),
  hasMore: flag,
  levels: list(record({ width: count, height: count, tileWidth: count, tileHeight: count }), 32),
  samples: count,
  hasColours: flag,
  isInverted: flag,
  maxValue: orNull(count),
});

export const raster = record<Raster>({
  kind: literal('raster'),
  width: count,
  height: count,
  channels: oneOf(1, 3),
  values: singles,
  extent: literal('whole', 'reduced', 'sampled'),
});
