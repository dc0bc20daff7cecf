import type { GeoTIFFImage } from 'geotiff';
import type { Plane } from '../../messages/content.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { reducePlane } from '../common/reduce-plane.ts';
import { guarded } from './open-tiff.ts';

/** A form of a page that has this many values a side is large enough for the screen. */
const wantedSide = 1024;
/** Most values that are unpacked for one picture, and of one tile or strip. */
const maxValues = 8 * 1024 * 1024;

/**
 * Draws a page by the smallest of its forms that fills the screen; where it has none that is small
 * enough, only its first rows and columns are read.
 */
export async function readPage(levels: readonly GeoTIFFImage[], sample: number): Promise<Plane> {
  const [full] = levels;
  if (full === undefined) throw malformed('The TIFF has no such page.');
  const image = levels.toReversed().find((one) => sideOf(one) >= wantedSide) ?? full;
  const [width, height] = sizeOf(image);
  requireSmallBlocks(image);
  const columns = Math.min(width, Math.max(1, Math.floor(Math.sqrt(maxValues))));
  const rows = Math.min(height, Math.max(1, Math.floor(maxValues / columns)));
  const values = await guarded(async () =>
    image.readRasters({ window: [0, 0, columns, rows], samples: [sample], interleave: true }),
  );
  const reduced = reducePlane(values, columns, rows);
  const isCorner = columns < width || rows < height;
  const isWhole = image === full && reduced.width === width && reduced.height === height;
  const [fullWidth, fullHeight] = sizeOf(full);
  return {
    kind: 'plane',
    ...reduced,
    name: 'Page',
    fullWidth,
    fullHeight,
    extent: isCorner ? 'corner' : isWhole ? 'whole' : 'reduced',
  };
}

/** @throws PreviewError for a size that no picture has. */
export function sizeOf(image: GeoTIFFImage): readonly [width: number, height: number] {
  const size = [image.getWidth(), image.getHeight()] as const;
  if (!size.every((side) => Number.isSafeInteger(side) && side > 0)) throw malformed('The TIFF states no size.');
  return size;
}

function sideOf(image: GeoTIFFImage): number {
  return Math.max(image.getWidth(), image.getHeight());
}

// A small file can claim tiles of any size, which are unpacked whole.
function requireSmallBlocks(image: GeoTIFFImage): void {
  const values = image.getTileWidth() * image.getTileHeight() * image.getSamplesPerPixel();
  if (!(values > 0)) throw malformed('The TIFF states no size of its parts.');
  if (values > 4 * maxValues)
    throw new PreviewError('limit', 'The parts of this picture are larger than a preview unpacks at once.');
}
