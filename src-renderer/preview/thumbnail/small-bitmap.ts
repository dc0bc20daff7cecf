import type { Plane } from '../messages/content.ts';
import type { PageLayout, Raster } from '../messages/raster.ts';
import { colourValues } from '../views/colours.ts';
import { automaticRange, colourRaster } from '../views/tiles/colour-raster.ts';

/** Twice the size at which it is shown, for screens with fine pixels. */
const box = { width: 240, height: 160 } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture at most as large as the box; a smaller one keeps its size. */
function drawSmall(picture: CanvasImageSource, { width, height }: Size): ImageBitmap {
  const scale = Math.min(1, box.width / Math.max(1, width), box.height / Math.max(1, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return canvas.transferToImageBitmap();
}

/** Makes a decoded picture small, and gives its memory back. */
export function smallPicture(bitmap: ImageBitmap): ImageBitmap {
  const small = drawSmall(bitmap, bitmap);
  bitmap.close();
  return small;
}

/** Colours a plane of values as its view does at first. */
export function smallPlane(plane: Plane): ImageBitmap {
  return smallPixels(colourValues(plane.values, { map: 'heat', isLogarithmic: false }), plane);
}

/** Colours a page as its view does at first. */
export function smallRaster(page: Raster, layout: PageLayout): ImageBitmap {
  const [low, high] = automaticRange(layout, page);
  return smallPixels(colourRaster(page, { low, high, map: 'grey', isInverted: layout.isInverted }), page);
}

function smallPixels(pixels: Uint8ClampedArray<ArrayBuffer>, { width, height }: Size): ImageBitmap {
  const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
  if (width > 0 && height > 0) canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return drawSmall(canvas, canvas);
}

/** Draws an SVG that was checked. @throws where it cannot be drawn. */
export async function smallDrawing(svg: string): Promise<ImageBitmap> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  // One without a size of its own gets the usual one of elements that have none.
  const { naturalWidth: width, naturalHeight: height } = image;
  return drawSmall(image, width > 0 && height > 0 ? { width, height } : { width: 300, height: 150 });
}
