import { spreadRow, type Goal, type Row } from '../goals/goal.ts';
import { spreadOf } from '../statistics.ts';
import type { FirstPlot, FirstTile, PreviewsBench, SpectraShown } from './previews-bench.ts';

/** The first plot of an HDF5 file, with the library that reads it, which no browser has yet. */
const firstPlot: Goal<PreviewsBench> = {
  name: 'first-plot',
  method:
    'A sparse HDF5 of 100 GB whose attributes name a plot, its measurement open in Chromium with an empty cache, behind a line of 100 Mbit/s and 20 ms there and back: the time from the click on the file to the curve, and all bytes that the service sent meanwhile, the library and scripts of the preview among them.',
  run: async (bench) => {
    const plots: FirstPlot[] = [];
    for (let round = 0; round <= bench.options.rounds; round += 1) {
      const plot = await bench.firstPlot();
      if (round > 0) plots.push(plot);
    }
    const ms = spreadOf(plots.map((plot) => plot.ms));
    const mebibytes = spreadOf(plots.map((plot) => plot.mebibytes));
    return {
      rows: [
        spreadRow('click to first plot', '-', ms, { atMost: 1500, unit: 'ms' }),
        spreadRow('bytes over the line', '-', mebibytes, { atMost: 8, unit: 'MiB' }),
      ],
      details: [],
    };
  },
};

/** Spectra of an mzML whose index is far larger than what may be read of it. */
const spectrum: Goal<PreviewsBench> = {
  name: 'spectrum',
  method:
    'An indexed mzML of 1,000,000 spectra in the same browser behind the same line, opened with an empty cache: the time from the click on the file to its first spectrum; then ten spectra all over the file, each from typing its number to its curve, and after each of them its neighbour, by a click.',
  run: async (bench) => {
    const shown: SpectraShown[] = [];
    for (let round = 0; round <= bench.options.rounds; round += 1) {
      const one = await bench.spectra(round);
      if (round > 0) shown.push(one);
    }
    const rowsOf = (work: string, plots: readonly FirstPlot[], maxMs: number, maxMebibytes: number): readonly Row[] => [
      spreadRow(work, '-', spreadOf(plots.map(({ ms }) => ms)), { atMost: maxMs, unit: 'ms' }),
      spreadRow(`${work}, bytes over the line`, '-', spreadOf(plots.map(({ mebibytes }) => mebibytes)), {
        atMost: maxMebibytes,
        unit: 'MiB',
      }),
    ];
    const of = `of ${bench.spectrumCount.toLocaleString('en')}`;
    return {
      rows: [
        ...rowsOf(
          `click to first spectrum ${of}`,
          shown.map(({ opening }) => opening),
          1500,
          4,
        ),
        ...rowsOf(
          `any spectrum ${of}`,
          shown.flatMap(({ chosen }) => chosen),
          300,
          1,
        ),
        ...rowsOf(
          `the next spectrum ${of}`,
          shown.flatMap(({ neighbours }) => neighbours),
          300,
          1,
        ),
      ],
      details: [],
    };
  },
};

/** The first picture of a page that has smaller forms, and its middle at its own size. */
const firstTile: Goal<PreviewsBench> = {
  name: 'first-tile',
  method:
    'A sparse OME-TIFF of 40 GB (BigTIFF, 163,840 × 122,880 values of 16 bits in tiles of 512, eight smaller forms, nothing packed), its measurement open in Chromium with an empty cache, behind the same line: the time from the click on the file to its picture with all tiles in view, then from a click on Actual size to all tiles of the middle, and all bytes that the service sent meanwhile, the scripts of the preview among them.',
  run: async (bench) => {
    const tiles: FirstTile[] = [];
    for (let round = 0; round <= bench.options.rounds; round += 1) {
      const tile = await bench.firstTile();
      if (round > 0) tiles.push(tile);
    }
    const spread = (of: (tile: FirstTile) => number) => spreadOf(tiles.map(of));
    return {
      rows: [
        spreadRow(
          'click to first tile',
          '-',
          spread(({ ms }) => ms),
          { atMost: 1000, unit: 'ms' },
        ),
        spreadRow(
          'bytes over the line',
          '-',
          spread(({ mebibytes }) => mebibytes),
          { atMost: 8, unit: 'MiB' },
        ),
        spreadRow(
          'actual size to all tiles',
          '-',
          spread(({ sharpMs }) => sharpMs),
          { atMost: 1000, unit: 'ms' },
        ),
        spreadRow(
          'bytes for actual size',
          '-',
          spread(({ sharpMebibytes }) => sharpMebibytes),
          { atMost: 16, unit: 'MiB' },
        ),
      ],
      details: [],
    };
  },
};

export const previewsGoals: readonly Goal<PreviewsBench>[] = [firstPlot, firstTile, spectrum];
