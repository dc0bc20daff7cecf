import type { GeoTIFFImage } from 'geotiff';
import type { Plane } from '../../messages/content.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { reducePlane } from '../common/reduce-plane.ts';
import { guarded } from './open-tiff.ts';

/** A form of a page that has this many values a side is large enough for the screen. */
const wantedSide = 1024;
/** Most values that are unpacked for one picture. */
const maxValues = 8 * 1024 * 1024;
/** Of one tile or strip, unpacked. */
const maxBlockBytes = 64 * 1024 * 1024;
/** Each tile or strip of a picture is a read. */
const maxBlocks = 10_000;

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
  const [columns, rows] = cornerOf(image, width, height);
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

/** As much of a page as one picture may have. */
function cornerOf(image: GeoTIFFImage, width: number, height: number): readonly [columns: number, rows: number] {
  let columns = Math.min(width, Math.max(1, Math.floor(Math.sqrt(maxValues))));
  let rows = Math.min(height, Math.max(1, Math.floor(maxValues / columns)));
  const blocks = (): number => Math.ceil(columns / image.getTileWidth()) * Math.ceil(rows / image.getTileHeight());
  while (blocks() > maxBlocks) {
    if (columns > rows) columns = Math.ceil(columns / 2);
    else rows = Math.ceil(rows / 2);
  }
  return [columns, rows];
}

// A small file can claim tiles of any size, which are unpacked whole.
function requireSmallBlocks(image: GeoTIFFImage): void {
  const bytes = image.getTileWidth() * image.getTileHeight() * image.getBytesPerPixel();
  if (!(bytes > 0)) throw malformed('The TIFF states no size of its parts.');
  if (bytes > maxBlockBytes)
    throw new PreviewError('limit', 'The parts of this picture are larger than a preview unpacks at once.');
}
