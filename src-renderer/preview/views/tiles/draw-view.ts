import type { PageLayout, Raster } from '../../messages/raster.ts';
import { colourRaster, type Look } from './colour-raster.ts';
import type { KeptTile, TileStore } from './tile-store.ts';
import { ratiosOf, tilesInView, type Size, type Viewport } from './viewport.ts';

export interface DrawnView {
  readonly layout: PageLayout;
  readonly viewport: Viewport;
  readonly screen: Size;
  /** Pixels of the screen for each of its points. */
  readonly ratio: number;
  readonly look: Look;
  /** Names the page and the sample of the tiles. */
  readonly picture: string;
  /** The level whose tiles are wanted; null for none. */
  readonly level: number | null;
}

/** Draws the coarse picture, and above it the tiles that have come, the sharpest last. */
export function drawView(canvas: HTMLCanvasElement, view: DrawnView, coarse: KeptTile | null, store: TileStore): void {
  const { screen, ratio, layout, viewport } = view;
  const [width, height] = [Math.round(screen.width * ratio), Math.round(screen.height * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  const [page] = layout.levels;
  if (context === null || page === undefined) return;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const placed = (image: KeptTile, x: number, y: number, w: number, h: number): void => {
    const left = Math.round((x - viewport.x) * viewport.scale + screen.width / 2);
    const top = Math.round((y - viewport.y) * viewport.scale + screen.height / 2);
    const right = Math.round((x + w - viewport.x) * viewport.scale + screen.width / 2);
    const bottom = Math.round((y + h - viewport.y) * viewport.scale + screen.height / 2);
    // Pixels that are larger than those of the screen keep their edges.
    context.imageSmoothingEnabled = right - left < image.raster.width * 2;
    context.drawImage(coloured(image, view.look), left, top, right - left, bottom - top);
  };
  if (coarse !== null) placed(coarse, 0, 0, page.width, page.height);
  if (view.level === null) return;
  for (let level = layout.levels.length - 1; level >= view.level; level -= 1) {
    const one = layout.levels[level] ?? page;
    const [ratioX, ratioY] = ratiosOf(page, one);
    for (const place of tilesInView(layout.levels, level, viewport, screen)) {
      const tile = store.get({ ...place, picture: view.picture });
      if (tile === undefined) continue;
      const { width: tileWidth, height: tileHeight } = tile.raster;
      placed(
        tile,
        (place.column * one.tileWidth) / ratioX,
        (place.row * one.tileHeight) / ratioY,
        tileWidth / ratioX,
        tileHeight / ratioY,
      );
    }
  }
}

/** A tile without a canvas of its own yet. */
export function uncoloured(raster: Raster): KeptTile {
  return { raster, canvas: null, look: '' };
}

function coloured(tile: KeptTile, look: Look): HTMLCanvasElement {
  const key = JSON.stringify(look);
  const canvas = tile.canvas ?? document.createElement('canvas');
  if (tile.look === key) return canvas;
  const { width, height } = tile.raster;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(colourRaster(tile.raster, look), width, height), 0, 0);
  tile.canvas = canvas;
  tile.look = key;
  return canvas;
}
