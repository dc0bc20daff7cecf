import { spreadRow, type Goal } from '../goals/goal.ts';
import { spreadOf } from '../statistics.ts';
import type { FirstPlot, PreviewsBench } from './previews-bench.ts';

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

export const previewsGoals: readonly Goal<PreviewsBench>[] = [firstPlot];
