import type { PageLayout } from '../../messages/raster.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The part of a page that is in view: the pixel in the middle, and points of the screen for each pixel. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** A tile of a level that is in view. */
export interface TilePlace {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

type LevelLayout = PageLayout['levels'][number];

const maxScale = 32;
/** Tiles of a view and their pixels; where more would be needed, a smaller level is shown. */
const maxTiles = 256;
const maxPixels = 7_500_000;
/** A level with three quarters of the pixels of the screen is sharp enough. */
const enough = 0.75;

/** The whole page in the middle of the screen. */
export function fitted(page: Size, screen: Size): Viewport {
  return { x: page.width / 2, y: page.height / 2, scale: smallestScale(page, screen) };
}

/** Magnifies by a factor; the point of the screen, counted from its middle, stays where it is. */
export function zoomed(
  { x, y, scale }: Viewport,
  factor: number,
  page: Size,
  screen: Size,
  [pointX, pointY]: readonly [x: number, y: number] = [0, 0],
): Viewport {
  const next = Math.min(
    Math.max(maxScale, smallestScale(page, screen)),
    Math.max(smallestScale(page, screen), scale * factor),
  );
  return within(
    { x: x + pointX / scale - pointX / next, y: y + pointY / scale - pointY / next, scale: next },
    page,
    screen,
  );
}

/** Moves by points of the screen. */
export function moved({ x, y, scale }: Viewport, byX: number, byY: number, page: Size, screen: Size): Viewport {
  return within({ x: x + byX / scale, y: y + byY / scale, scale }, page, screen);
}

/** No more than the page is in view, and what fits is in the middle. */
export function within({ x, y, scale }: Viewport, page: Size, screen: Size): Viewport {
  const bounded = (middle: number, side: number, shown: number): number =>
    shown >= side ? side / 2 : Math.min(side - shown / 2, Math.max(shown / 2, middle));
  return {
    x: bounded(x, page.width, screen.width / scale),
    y: bounded(y, page.height, screen.height / scale),
    scale,
  };
}

function smallestScale(page: Size, screen: Size): number {
  return Math.min(maxScale, Math.max(1e-9, Math.min(screen.width / page.width, screen.height / page.height)));
}

/**
 * The level whose tiles are shown: the smallest that is sharp at this scale, or a smaller one where
 * that would need too many tiles; null where even that has too many.
 *
 * @param ratio pixels of the screen for each of its points.
 */
export function levelInView(
  levels: PageLayout['levels'],
  viewport: Viewport,
  screen: Size,
  ratio: number,
): number | null {
  const [page] = levels;
  if (page === undefined) return null;
  const wanted = Math.min(1, viewport.scale * ratio * enough);
  const sharp = levels.findLastIndex(({ width }) => width / page.width >= wanted);
  for (let level = Math.max(0, sharp); level < levels.length; level += 1)
    if (isAffordable(levels, level, viewport, screen)) return level;
  return null;
}

/** Tiles of a level that are in view, those in the middle first. */
export function tilesInView(
  levels: PageLayout['levels'],
  level: number,
  viewport: Viewport,
  screen: Size,
): readonly TilePlace[] {
  const grid = gridInView(levels, level, viewport, screen);
  if (grid === null) return [];
  const places: TilePlace[] = [];
  for (let row = grid.top; row <= grid.bottom; row += 1)
    for (let column = grid.left; column <= grid.right; column += 1) places.push({ level, column, row });
  const [middleX, middleY] = [(grid.left + grid.right) / 2, (grid.top + grid.bottom) / 2];
  const distance = ({ column, row }: TilePlace): number => Math.hypot(column - middleX, row - middleY);
  return places.toSorted((a, b) => distance(a) - distance(b));
}

function isAffordable(levels: PageLayout['levels'], level: number, viewport: Viewport, screen: Size): boolean {
  const [grid, one] = [gridInView(levels, level, viewport, screen), levels[level]];
  if (grid === null || one === undefined) return true;
  const tiles = (grid.right - grid.left + 1) * (grid.bottom - grid.top + 1);
  return tiles <= maxTiles && tiles * one.tileWidth * one.tileHeight <= maxPixels;
}

function gridInView(levels: PageLayout['levels'], level: number, viewport: Viewport, screen: Size) {
  const [page, one] = [levels[0], levels[level]];
  if (page === undefined || one === undefined) return null;
  const [ratioX, ratioY] = ratiosOf(page, one);
  const [halfX, halfY] = [screen.width / viewport.scale / 2, screen.height / viewport.scale / 2];
  const place = (at: number, tile: number, side: number): number =>
    Math.floor(Math.min(side - 1, Math.max(0, at)) / tile);
  return {
    left: place((viewport.x - halfX) * ratioX, one.tileWidth, one.width),
    right: place((viewport.x + halfX) * ratioX, one.tileWidth, one.width),
    top: place((viewport.y - halfY) * ratioY, one.tileHeight, one.height),
    bottom: place((viewport.y + halfY) * ratioY, one.tileHeight, one.height),
  };
}

/** Pixels of a level for each pixel of the page, in either direction. */
export function ratiosOf(page: LevelLayout, level: LevelLayout): readonly [x: number, y: number] {
  return [level.width / page.width, level.height / page.height];
}
