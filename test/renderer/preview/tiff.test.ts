import { describe, expect, it } from 'vitest';
import { openSample } from './open-sample.ts';
import { omeXml, sampleOmeTiff, sampleTiff, waves } from './sample-pictures.ts';
import { TiffWriter } from './sample-tiff.ts';
import { packLzw } from './tiff-packing.ts';
import type { PageShape } from './tiff-shape.ts';
import { unpackLzw } from '../../../src-renderer/preview/readers/tiff/unpack-lzw.ts';

const open = async (bytes: Uint8Array, length?: number) => openSample(bytes, 'a.tif', length);

const coarse = { kind: 'coarse', at: [], sample: null } as const;
const tile = { kind: 'tile', at: [], sample: null, level: 0, column: 0, row: 0 } as const;

describe('pages of a TIFF', () => {
  it('are drawn one by one', async () => {
    const file = await open(sampleTiff({ pages: 3 }));
    expect(file.content).toMatchObject({ format: 'TIFF picture', views: ['tiles', 'tree', 'bytes'] });
    expect(await file.ask('node', { kind: 'node', path: '/pages' })).toMatchObject({ shape: [3, 30, 40] });
    expect(await file.ask('layout', { kind: 'layout', at: [2] })).toMatchObject({
      axes: [{ name: 'Page', length: 3, labels: [] }],
      levels: [{ width: 40, height: 30 }],
      hasColours: false,
      maxValue: null,
    });
    const page = await file.ask('raster', { ...coarse, at: [2] });
    expect([page.width, page.height, page.extent, page.values[0], page.values[39]]).toEqual([
      40,
      30,
      'whole',
      2000,
      2039,
    ]);
  });

  it('of OME-TIFF are chosen by channel and depth, by their names', async () => {
    const file = await open(sampleOmeTiff());
    expect(file.content.format).toBe('OME-TIFF picture');
    const layout = await file.ask('layout', { kind: 'layout', at: [] });
    expect(layout.axes).toEqual([
      { name: 'Channel', length: 2, labels: ['DAPI', 'GFP & more'] },
      { name: 'Depth', length: 2, labels: [] },
    ]);
    expect(layout.levels.map(({ width, height }) => [width, height])).toEqual([
      [600, 400],
      [300, 200],
      [150, 100],
    ]);
    // Channels follow each other in this file, and depths lie apart.
    const values = await Promise.all(
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ].map(async (at) => (await file.ask('raster', { ...tile, at })).values[5000] ?? 0),
    );
    expect(values.map((value) => value - (values[0] ?? 0))).toEqual([0, 100, 200]);
  });

  it('that OME-XML places one by one are found there', async () => {
    const named = omeXml({ depths: 1 }).replace(
      '<TiffData/>',
      '<TiffData IFD="1" FirstC="0"/><TiffData IFD="0" FirstC="1"/>',
    );
    const writer = new TiffWriter();
    for (const page of [0, 1])
      writer.add({ width: 8, height: 8, ...(page === 0 ? { description: named } : {}), value: () => page });
    const file = await open(writer.bytes());
    expect((await file.ask('raster', { ...coarse, at: [0] })).values[0]).toBe(1);
    expect((await file.ask('raster', { ...coarse, at: [1] })).values[0]).toBe(0);
  });

  it('whose OME-XML is damaged have numbers', async () => {
    const file = await open(sampleTiff({ pages: 2, description: omeXml().slice(0, 300) }));
    expect((await file.ask('layout', { kind: 'layout', at: [] })).axes).toEqual([
      { name: 'Page', length: 2, labels: [] },
    ]);
  });
});

describe('values of tiles and strips', () => {
  const forms: readonly (readonly [name: string, shape: Partial<PageShape>, options: { isBigEndian?: boolean }])[] = [
    ['tiles', { tile: [64, 32] }, {}],
    ['big-endian tiles', { tile: [64, 32] }, { isBigEndian: true }],
    ['big-endian differences', { tile: [64, 32], isPredicted: true, method: 8 }, { isBigEndian: true }],
    ['LZW', { rowsPerStrip: 16, method: 5 }, {}],
    ['LZW with differences', { tile: [128, 64], method: 5, isPredicted: true }, {}],
    ['PackBits', { rowsPerStrip: 7, method: 32_773 }, {}],
    ['one strip that is not packed', {}, {}],
    ['strips of one row', { rowsPerStrip: 1 }, {}],
    ['floats', { bits: 32, format: 3 }, {}],
    ['whole numbers of 32 bits', { bits: 32, tile: [16, 16] }, { isBigEndian: true }],
  ];
  it.each(forms)('%s', async (_, shape, options) => {
    const value = ({ x, y }: { x: number; y: number }): number => (x * 7 + y * 311) % 50_000;
    const bytes = sampleTiff({ width: 700, height: 530, ...shape, value, method: shape.method ?? 1, options });
    const file = await open(bytes);
    const { levels } = await file.ask('layout', { kind: 'layout', at: [] });
    const { tileWidth = 1, tileHeight = 1 } = levels[0] ?? {};
    for (const [x, y] of [
      [0, 0],
      [699, 529],
      [300, 470],
    ] as const) {
      const [column, row] = [Math.floor(x / tileWidth), Math.floor(y / tileHeight)];
      const { width, values } = await file.ask('raster', { ...tile, column, row });
      expect(values[(y - row * tileHeight) * width + x - column * tileWidth]).toBe(value({ x, y }));
    }
  });

  it.each([
    ['together', false],
    ['apart', true],
  ])('colours that lie %s', async (_, isPlanar) => {
    const file = await open(
      sampleTiff({
        bits: 8,
        samples: 3,
        photometric: 2,
        isPlanar,
        tile: [16, 16],
        value: ({ x, sample }) => sample * 50 + x,
      }),
    );
    expect(await file.ask('layout', { kind: 'layout', at: [] })).toMatchObject({
      samples: 3,
      hasColours: true,
      maxValue: 255,
    });
    const colours = await file.ask('raster', tile);
    expect([colours.channels, ...colours.values.subarray(6, 9)]).toEqual([3, 2, 52, 102]);
    const green = await file.ask('raster', { ...tile, sample: 1 });
    expect([green.channels, green.values[2]]).toEqual([1, 52]);
  });

  it('colours of a palette', async () => {
    const palette = [0, 1, 2].flatMap((part) => Array.from({ length: 256 }, (_, at) => (at === 5 ? part * 257 : 0)));
    const file = await open(sampleTiff({ bits: 8, photometric: 3, palette, value: () => 5 }));
    expect([...(await file.ask('raster', tile)).values.subarray(0, 3)]).toEqual([0, 1, 2]);
  });

  it('LZW of any bytes is unpacked, and no further than asked', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * at * 31 + (at >> 5)) & 255);
    const packed = packLzw(bytes);
    expect(Buffer.compare(unpackLzw(packed, bytes.length), bytes)).toBe(0);
    expect(unpackLzw(packed, 10)).toEqual(bytes.subarray(0, 10));
  });
});

describe('what is read', () => {
  it('of a page with smaller forms is the one that fills the screen, and tiles in view', async () => {
    const bytes = sampleOmeTiff({ width: 4096, height: 2048, depths: 1, levels: 3 });
    const file = await open(bytes);
    const whole = await file.ask('raster', coarse);
    expect([whole.width, whole.height, whole.extent]).toEqual([512, 256, 'reduced']);
    expect(whole.values[512 * 33 + 40]).toBe(waves({ x: 40, y: 33, level: 3 }));
    const before = file.source.bytesRead();
    const one = await file.ask('raster', { ...tile, column: 20, row: 11 });
    expect(one.values[128 * 5 + 3]).toBe(waves({ x: 20 * 128 + 3, y: 11 * 128 + 5, level: 0 }));
    expect(file.source.bytesRead() - before).toBeLessThan(2 * 128 * 128 * 2);
    // A tile that was unpacked is kept.
    const after = file.source.bytesRead();
    await file.ask('raster', { ...tile, column: 20, row: 11 });
    expect(file.source.bytesRead() - after).toBeLessThan(128 * 128);
  });

  it('of a huge page without smaller forms is spread over it, which is said', async () => {
    const value = ({ x, y }: { x: number; y: number }): number => (x + y) & 0xffff;
    const writer = new TiffWriter({ isBig: true, isSparse: true });
    writer.add({ width: 60_000, height: 60_000, tile: [512, 512], value });
    const { parts, length } = writer.end();
    const bytes = Buffer.alloc(1024 * 1024);
    for (const part of parts) part.bytes.copy(bytes, part.offset);
    const file = await open(new Uint8Array(bytes), length);
    const whole = await file.ask('raster', coarse);
    expect([whole.width, whole.height, whole.extent]).toEqual([1024, 1024, 'sampled']);
    const read = whole.values.filter((one) => !Number.isNaN(one)).length;
    expect(read).toBeGreaterThan(1000);
    expect(file.source.bytesRead()).toBeLessThan(120 * 1024 * 1024);
  });

  it('of strips in a row is every so many rows, without gaps', async () => {
    const writer = new TiffWriter({ isBig: true, isSparse: true });
    writer.add({ width: 20_000, height: 40_000, rowsPerStrip: 1, value: () => 0 });
    const { parts, length } = writer.end();
    const bytes = Buffer.alloc(4 * 1024 * 1024);
    for (const part of parts) part.bytes.copy(bytes, part.offset);
    const whole = await (await open(new Uint8Array(bytes), length)).ask('raster', coarse);
    expect(whole.extent).toBe('sampled');
  });
});
