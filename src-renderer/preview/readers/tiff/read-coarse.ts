import type { Raster } from '../../messages/raster.ts';
import type { BlockPlace, BlockStore } from './block-store.ts';
import { channelCount, channelsOf, colourPixels, readChannels } from './channels.ts';
import type { Level } from './level.ts';

/** A level that has this many pixels a side is enough to begin with. */
const wantedSide = 512;
/** Longest side of a coarse picture, in pixels. */
const maxSide = 1024;
/** Unpacked bytes of the blocks that a coarse picture is made of. */
const maxBytes = 48 * 1024 * 1024;
/** Blocks that lie anywhere in the file are a request each. */
const maxBlocks = 256;
/** Blocks of a level that is read whole lie in a row. */
const maxBlocksOfWhole = 10_000;

/**
 * A page reduced to at most 1024 pixels a side: by the smallest of its levels that fills the
 * screen, or by blocks that are spread over the page where that level has too many; what lies
 * between these is NaN.
 *
 * @param sample null for the colours of the page.
 * @throws PreviewError
 */
export async function readCoarse(
  store: BlockStore,
  levels: readonly [Level, ...Level[]],
  sample: number | null,
): Promise<Raster> {
  const level = levels.toReversed().find((one) => Math.max(one.width, one.height) >= wantedSide) ?? levels[0];
  const channels = await channelsOf(level, sample);
  const count = channelCount(channels);
  const [stepX, stepY] = stepsOf(level, channels.samples.length);
  const scale = Math.max(1, Math.max(level.width, level.height) / maxSide);
  const [width, height] = [Math.max(1, Math.ceil(level.width / scale)), Math.max(1, Math.ceil(level.height / scale))];
  const sums = new Float32Array(width * height * count);
  const counts = new Uint32Array(width * height * count);
  const places = placesOf(level, stepX, stepY);
  const bySample = places.flatMap((place) => channels.samples.map((one) => ({ ...place, sample: one })));
  await store.readAhead(level, bySample);
  for (const place of places) {
    const read = await readChannels(store, level, place, channels);
    const [fromX, fromY] = [place.column * level.blockWidth, place.row * level.blockHeight];
    for (let y = fromY; y < Math.min(level.height, fromY + level.blockHeight); y += 1) {
      const row = Math.floor(y / scale) * width;
      for (let x = fromX; x < Math.min(level.width, fromX + level.blockWidth); x += 1) {
        const at = (row + Math.floor(x / scale)) * count;
        for (let channel = 0; channel < count; channel += 1) {
          const value = read(x - fromX, y - fromY, channel);
          if (!Number.isFinite(value)) continue;
          sums[at + channel] = (sums[at + channel] ?? 0) + value;
          counts[at + channel] = (counts[at + channel] ?? 0) + 1;
        }
      }
    }
  }
  for (const [at, number] of counts.entries()) sums[at] = number === 0 ? Number.NaN : (sums[at] ?? 0) / number;
  colourPixels(sums, channels);
  const isWhole = level === levels[0] && scale === 1;
  const extent = stepX * stepY > 1 ? 'sampled' : isWhole ? 'whole' : 'reduced';
  return { kind: 'raster', width, height, channels: count, values: sums, extent };
}

/** Which of the blocks in either direction are read: each, or only every second, third and so on. */
function stepsOf(level: Level, samples: number): readonly [stepX: number, stepY: number] {
  const { columns, rows, blockBytes } = level;
  const isAffordable = (blocks: number, limit: number): boolean =>
    blocks <= limit && blocks * samples * blockBytes <= maxBytes;
  if (isAffordable(columns * rows, maxBlocksOfWhole)) return [1, 1];
  let [stepX, stepY] = [1, 1];
  while (!isAffordable(Math.ceil(columns / stepX) * Math.ceil(rows / stepY), maxBlocks)) {
    if (columns === 1 || columns / stepX < rows / stepY) stepY += Math.ceil(stepY / 8);
    else stepX += Math.ceil(stepX / 8);
    if (stepX >= columns && stepY >= rows) break;
  }
  return [stepX, stepY];
}

function placesOf({ columns, rows }: Level, stepX: number, stepY: number): readonly Omit<BlockPlace, 'sample'>[] {
  const places: Omit<BlockPlace, 'sample'>[] = [];
  for (let row = Math.floor(Math.min(stepY, rows) / 2); row < rows; row += stepY)
    for (let column = Math.floor(Math.min(stepX, columns) / 2); column < columns; column += stepX)
      places.push({ column, row });
  return places;
}
