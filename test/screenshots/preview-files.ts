import { File, ready } from 'h5wasm';
import type { FixtureFile } from '../service/fixture-measurement.ts';
import { mutate } from '../renderer/preview/mutate.ts';
import { sampleNexus, samplePng } from '../renderer/preview/sample-files.ts';
import { sampleFile, sampleFcs, sampleNotebook, sampleZip } from '../renderer/preview/sample-formats.ts';
import { sampleOmeTiff } from '../renderer/preview/sample-pictures.ts';

/** Counts of a diffraction pattern at an angle: a background with peaks. */
function countsAt(angle: number): number {
  const peaks = [
    [28.4, 900],
    [47.3, 620],
    [56.1, 380],
    [69.1, 120],
    [76.4, 210],
  ] as const;
  const noise = 12 * Math.sin(angle * 977) + 8 * Math.sin(angle * 3571);
  return Math.round(
    peaks.reduce((sum, [at, height]) => sum + height * Math.exp(-(((angle - at) / 0.35) ** 2)), 60 + noise),
  );
}

function pattern(): string {
  const rows = Array.from({ length: 3501 }, (_, row) => 10 + row / 50);
  return `# powder diffractometer 2, silicon\n2theta,counts,sigma\n${rows
    .map((angle) => `${angle.toFixed(2)},${countsAt(angle)},${Math.sqrt(countsAt(angle)).toFixed(1)}`)
    .join('\n')}\n`;
}

const figure = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 300" font-family="sans-serif" font-size="14">
  <path d="M60 20V250H460" fill="none" stroke="#333"/>
  <path d="M60 240C140 236 150 60 190 60S240 230 280 200S330 110 360 120S420 236 460 240" fill="none" stroke="#0b6bcb" stroke-width="3"/>
  <text x="230" y="282">energy (eV)</text><text transform="translate(36 170) rotate(-90)">counts</text></svg>`;

function spectrum(): string {
  const values = Array.from({ length: 400 }, (_, at) =>
    Math.round(900 - 800 * Math.exp(-(((at - 140) / 18) ** 2)) - 300 * Math.exp(-(((at - 290) / 9) ** 2))),
  );
  const rows = Array.from(
    { length: 40 },
    (_, row) => `${400 + row * 40} ${values.slice(row * 10, row * 10 + 10).join(' ')}`,
  );
  return `##TITLE= ethanol, gas\n##JCAMP-DX= 4.24\n##XUNITS= 1/CM\n##YUNITS= TRANSMITTANCE\n##FIRSTX= 400\n##LASTX= 1996\n##NPOINTS= 400\n##XFACTOR= 1\n##YFACTOR= 0.001\n##XYDATA= (X++(Y..Y))\n${rows.join('\n')}\n##END=\n`;
}

/** Frames of a detector with rings, and their sum over the radius as the plot that the file names. */
async function rings(): Promise<Uint8Array> {
  const { FS } = await ready;
  const place = '/rings.nxs';
  const [frames, side] = [8, 256];
  const file = new File(place, 'w');
  file.create_attribute('default', 'entry');
  const entry = file.create_group('entry');
  entry.create_attribute('NX_class', 'NXentry');
  entry.create_attribute('default', 'data');
  entry.create_dataset({ name: 'title', data: 'Silver behenate, 12 keV' });
  const data = entry.create_group('data');
  data.create_attribute('NX_class', 'NXdata');
  data.create_attribute('signal', 'frames');
  data.create_dataset({
    name: 'frames',
    data: Uint16Array.from({ length: frames * side * side }, (_, at) => {
      const [x, y, frame] = [at % side, Math.floor(at / side) % side, Math.floor(at / side / side)];
      const radius = Math.hypot(x - 118, y - 131);
      return 40 + 900 * Math.exp(-radius / 70) * Math.cos(radius / (6 + frame / 3)) ** 8;
    }),
    shape: [frames, side, side],
    chunks: [1, side, side],
    compression: 'gzip',
  });
  const scan = entry.create_group('integrated');
  scan.create_dataset({
    name: 'intensity',
    data: Float64Array.from({ length: 1200 }, (_, at) => countsAt(10 + at / 17)),
  });
  file.close();
  return Uint8Array.from((FS as unknown as { readFile: (path: string) => Uint8Array }).readFile(place));
}

const log = Array.from(
  { length: 400 },
  (_, at) =>
    `2026-09-01T10:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}Z shutter ${at % 7 === 0 ? 'opened' : 'steady'}, ${(4.2 + (at % 9) / 100).toFixed(2)} K`,
).join('\n');

/** A file of each kind that previews know. */
export async function kindFiles(): Promise<readonly FixtureFile[]> {
  return [
    { path: 'rings.nxs', bytes: Buffer.from(await rings()) },
    { path: 'pattern.csv', bytes: pattern() },
    { path: 'overview.png', bytes: samplePng(640, 420) },
    { path: 'cells.ome.tif', bytes: Buffer.from(sampleOmeTiff()) },
    { path: 'figure.svg', bytes: figure },
    { path: 'peptides.mzML', bytes: Buffer.from(await sampleFile('psims.mzML')) },
    { path: 'ethanol.jdx', bytes: spectrum() },
    { path: 'head.nii.gz', bytes: Buffer.from(await sampleFile('nibabel.nii.gz')) },
    { path: 'more/image.dcm', bytes: Buffer.from(await sampleFile('pydicom-explicit.dcm')) },
    { path: 'more/cells.fcs', bytes: Buffer.from(sampleFcs()) },
    { path: 'more/fit.ipynb', bytes: sampleNotebook() },
    { path: 'more/raw.zip', bytes: Buffer.from(await sampleZip()) },
    { path: 'more/beamline.log', bytes: log },
    { path: 'more/counter.dat', bytes: Buffer.from(Float64Array.from({ length: 900 }, (_, at) => at / 3).buffer) },
  ];
}

/** Files that are damaged, too large, or made to do harm, among others that are not. */
export async function hostileFiles(): Promise<readonly FixtureFile[]> {
  return [
    { path: 'a-pattern.csv', bytes: pattern() },
    { path: 'b-lost.nxs', bytes: Buffer.from(mutate(await sampleNexus(), 5955)) },
    { path: 'c-cut.h5', bytes: Buffer.from(await sampleNexus()).subarray(0, 700) },
    { path: 'd-bomb.png', bytes: samplePng(8, 8, { width: 60_000, height: 60_000 }) },
    { path: 'e-large.png', bytes: Buffer.concat([samplePng(90, 60), Buffer.alloc(5 * 1024 * 1024)]) },
    { path: 'f-overview.png', bytes: samplePng(640, 420) },
  ];
}
