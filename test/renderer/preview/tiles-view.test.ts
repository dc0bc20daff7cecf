import { describe, expect, it } from 'vitest';
import type { PageLayout, Raster } from '../../../src-renderer/preview/messages/raster.ts';
import { colourRaster } from '../../../src-renderer/preview/views/tiles/colour-raster.ts';
import { TileStore, type WantedTile } from '../../../src-renderer/preview/views/tiles/tile-store.ts';
import { fitted, levelInView, moved, tilesInView, zoomed } from '../../../src-renderer/preview/views/tiles/viewport.ts';

const screen = { width: 800, height: 600 };
const page = { width: 64_000, height: 48_000 };
const tile = { tileWidth: 256, tileHeight: 256 };
const levels: PageLayout['levels'] = [0, 1, 2, 3, 4, 5, 6].map((level) => ({
  width: page.width >> level,
  height: page.height >> level,
  ...tile,
}));

describe('the part of a page that is in view', () => {
  it('is all of it at first, and never beyond its edges', () => {
    const whole = fitted(page, screen);
    expect(whole).toEqual({ x: 32_000, y: 24_000, scale: 800 / 64_000 });
    expect(zoomed(whole, 0.1, page, screen)).toEqual(whole);
    expect(moved(whole, 500, 500, page, screen)).toEqual(whole);
    const near = zoomed(whole, 1e9, page, screen);
    expect(near.scale).toBe(32);
    expect(moved(near, 1e9, -1e9, page, screen)).toMatchObject({ x: 64_000 - 12.5, y: 9.375 });
  });

  it('keeps the point under the pointer', () => {
    const whole = fitted(page, screen);
    const near = zoomed(whole, 4, page, screen, [100, -50]);
    expect(near.x + 100 / near.scale).toBeCloseTo(whole.x + 100 / whole.scale, 6);
    expect(near.y - 50 / near.scale).toBeCloseTo(whole.y - 50 / whole.scale, 6);
  });

  it('is shown by the level that is sharp at its scale', () => {
    const whole = fitted(page, screen);
    expect(levelInView(levels, whole, screen, 1)).toBe(6);
    expect(levelInView(levels, whole, screen, 2)).toBe(5);
    expect(levelInView(levels, { ...whole, scale: 1 }, screen, 1)).toBe(0);
    expect(tilesInView(levels, 0, { ...whole, scale: 1 }, screen)).toHaveLength(4 * 3);
    // Without smaller forms, too many tiles would be needed.
    expect(levelInView(levels.slice(0, 1), whole, screen, 1)).toBeNull();
  });
});

describe('tiles', () => {
  const place = (column: number): WantedTile => ({ picture: '', level: 0, column, row: 0 });
  const raster = (side: number): Raster => ({
    kind: 'raster',
    width: side,
    height: side,
    channels: 1,
    values: new Float32Array(side * side),
    extent: 'whole',
  });

  it('that left the view are not asked for, at most four at once', async () => {
    const asked: number[] = [];
    const answers: (() => void)[] = [];
    const store = new TileStore({
      read: async ({ column }) => {
        asked.push(column);
        await new Promise<void>((resolve) => answers.push(resolve));
        return raster(1);
      },
      onChange: () => undefined,
    });
    store.want([0, 1, 2, 3, 4, 5, 6, 7].map(place));
    expect(asked).toEqual([0, 1, 2, 3]);
    store.want([3, 20].map(place));
    for (const answer of answers) answer();
    await expect.poll(() => asked).toEqual([0, 1, 2, 3, 20]);
    expect(store.countMissing([3, 20].map(place))).toBe(1);
    store.close();
  });

  it('are kept within 128 MiB, those that were shown last', async () => {
    const store = new TileStore({ read: async () => raster(1024), onChange: () => undefined });
    const all = Array.from({ length: 20 }, (_, column) => place(column));
    store.want(all);
    await expect.poll(() => store.get(place(19)) !== undefined).toBe(true);
    expect(all.filter((one) => store.get(one) !== undefined).map(({ column }) => column)).toEqual(
      Array.from({ length: 16 }, (_, at) => at + 4),
    );
    store.close();
  });

  it('that cannot be had say why, until they are tried again', async () => {
    let isBroken = true;
    const store = new TileStore({
      read: async () => {
        if (isBroken) throw new Error('The TIFF is damaged.');
        return raster(1);
      },
      onChange: () => undefined,
    });
    store.want([place(0)]);
    await expect.poll(() => store.failureOf([place(0)])).toBe('The TIFF is damaged.');
    isBroken = false;
    store.retry();
    store.want([place(0)]);
    await expect.poll(() => store.get(place(0)) !== undefined).toBe(true);
    store.close();
  });

  it('have the contrast that is chosen, and gaps where nothing was read', () => {
    const values = Float32Array.of(10, 20, 30, Number.NaN);
    const grey = { low: 10, high: 30, map: 'grey', isInverted: false } as const;
    const one: Raster = { ...raster(2), values };
    expect([...colourRaster(one, grey)].filter((_, at) => at % 4 === 0)).toEqual([0, 128, 255, 0]);
    expect([...colourRaster(one, grey)].filter((_, at) => at % 4 === 3)).toEqual([255, 255, 255, 0]);
    expect(colourRaster(one, { ...grey, isInverted: true })[0]).toBe(255);
  });
});
