import type { Raster } from '../../messages/raster.ts';
import { PreviewError } from '../../provider/preview-error.ts';
import type { BlockStore } from './block-store.ts';
import { channelCount, channelsOf, colourPixels, readChannels } from './channels.ts';
import type { Level } from './level.ts';

/** Sides of the tiles that are shown, in pixels; small ones of a file are shown together. */
const wantedSide = 512;
const minSide = 128;
const maxSide = 512;
/** Unpacked bytes of the blocks that one tile needs. */
const maxWindowBytes = 8 * 1024 * 1024;
const maxBlocksOfTile = 4096;

/** Size of the tiles in which a level is shown, in pixels. */
export function tileSizeOf(level: Level): readonly [width: number, height: number] {
  const { blockWidth, blockHeight, isTiled } = level;
  const width = isTiled && blockWidth >= minSide && blockWidth <= maxSide ? blockWidth : wantedSide;
  if (isTiled) return [width, blockHeight >= minSide && blockHeight <= maxSide ? blockHeight : wantedSide];
  const affordable = Math.floor(maxWindowBytes / level.blockBytes) * blockHeight;
  return [width, Math.max(1, Math.min(wantedSide, Math.max(blockHeight, affordable)))];
}

/**
 * One tile of a level; those at the edges are smaller.
 *
 * @param sample null for the colours of the page.
 * @throws PreviewError
 */
export async function readTile(
  store: BlockStore,
  level: Level,
  { column, row, sample }: { readonly column: number; readonly row: number; readonly sample: number | null },
): Promise<Raster> {
  const [tileWidth, tileHeight] = tileSizeOf(level);
  const [left, top] = [column * tileWidth, row * tileHeight];
  if (left >= level.width || top >= level.height) throw new PreviewError('malformed', 'The page has no such tile.');
  const width = Math.min(tileWidth, level.width - left);
  const height = Math.min(tileHeight, level.height - top);
  const channels = await channelsOf(level, sample);
  const count = channelCount(channels);
  const { blockWidth, blockHeight } = level;
  const places = placesOf(level, { left, top, width, height });
  if (places.length > maxBlocksOfTile)
    throw new PreviewError('limit', 'The parts of this picture are too small and too many to be shown.');
  const bySample = places.flatMap((place) => channels.samples.map((one) => ({ ...place, sample: one })));
  await store.readAhead(level, bySample);
  const values = new Float32Array(width * height * count);
  for (const place of places) {
    const read = await readChannels(store, level, place, channels);
    const [fromX, fromY] = [place.column * blockWidth, place.row * blockHeight];
    for (let y = Math.max(top, fromY); y < Math.min(top + height, fromY + blockHeight); y += 1) {
      for (let x = Math.max(left, fromX); x < Math.min(left + width, fromX + blockWidth); x += 1) {
        const at = ((y - top) * width + x - left) * count;
        for (let channel = 0; channel < count; channel += 1) values[at + channel] = read(x - fromX, y - fromY, channel);
      }
    }
  }
  colourPixels(values, channels);
  return { kind: 'raster', width, height, channels: count, values, extent: 'whole' };
}

interface Window {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function placesOf({ blockWidth, blockHeight }: Level, { left, top, width, height }: Window) {
  const places: { readonly column: number; readonly row: number }[] = [];
  for (let row = Math.floor(top / blockHeight); row * blockHeight < top + height; row += 1)
    for (let column = Math.floor(left / blockWidth); column * blockWidth < left + width; column += 1)
      places.push({ column, row });
  return places;
}
