import type { BlockStore } from './block-store.ts';
import type { Level } from './level.ts';
import { PreviewError } from '../../provider/preview-error.ts';

/** Values of a pixel that are drawn: one sample, or red, green and blue. */
export interface Channels {
  readonly samples: readonly number[];
  /** Red, green and blue of a palette's entries, one after the other, each up to 65535. */
  readonly palette: readonly number[] | null;
  /** Whether the three samples are brightness and two differences of colour. */
  readonly isYcc: boolean;
}

/** Values of a block's pixels, by channel. */
export type ChannelReader = (x: number, y: number, channel: number) => number;

/** Whether a page is drawn in its own colours; CMYK and the like are drawn by their samples. */
export function hasColours({ form }: Level): boolean {
  if (form.photometric === 3) return form.format === 1 && form.bits <= 16;
  return (form.photometric === 2 || form.photometric === 6) && form.samples >= 3;
}

/**
 * @param sample number of a sample, null for the colours of the page.
 * @throws PreviewError for colours that previews do not read.
 */
export async function channelsOf(level: Level, sample: number | null): Promise<Channels> {
  const { form, directory } = level;
  if (sample !== null || !hasColours(level))
    return { samples: [Math.min(sample ?? 0, form.samples - 1)], palette: null, isYcc: false };
  if (form.photometric === 3)
    return { samples: [0], palette: await directory.listOf(320, 3 * 2 ** form.bits), isYcc: false };
  if (form.photometric === 6 && form.method !== 7)
    throw new PreviewError('limit', 'The colours of the picture are written in a way that a preview does not read.');
  return { samples: [0, 1, 2], palette: null, isYcc: form.photometric === 6 };
}

export function channelCount({ samples, palette }: Channels): 1 | 3 {
  return palette !== null || samples.length === 3 ? 3 : 1;
}

/** @throws PreviewError for a damaged block. */
export async function readChannels(
  store: BlockStore,
  level: Level,
  place: { readonly column: number; readonly row: number },
  { samples, palette }: Channels,
): Promise<ChannelReader> {
  const isTogether = level.form.together === level.form.samples;
  const readers = await Promise.all(
    samples.map(async (sample) => store.block(level, { ...place, sample: isTogether ? 0 : sample })),
  );
  const [first = (): number => 0] = readers;
  if (palette !== null) {
    const entries = palette.length / 3;
    return (x, y, channel) => (palette[channel * entries + first(x, y, 0)] ?? 0) / 257;
  }
  if (samples.length === 1) {
    const sample = isTogether ? (samples[0] ?? 0) : 0;
    return (x, y) => first(x, y, sample);
  }
  if (isTogether) return (x, y, channel) => first(x, y, channel);
  return (x, y, channel) => readers[channel]?.(x, y, 0) ?? 0;
}

/** Turns brightness and differences into red, green and blue, in place (ITU-R BT.601). */
export function colourPixels(values: Float32Array, { isYcc }: Channels): void {
  if (!isYcc) return;
  for (let at = 0; at + 2 < values.length; at += 3) {
    const [y = 0, cb = 0, cr = 0] = [values[at], values[at + 1], values[at + 2]];
    values[at] = y + 1.402 * (cr - 128);
    values[at + 1] = y - 0.344_136 * (cb - 128) - 0.714_136 * (cr - 128);
    values[at + 2] = y + 1.772 * (cb - 128);
  }
}
