import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { FuzzReport, FuzzWork } from './fuzz-worker.ts';
import { utf8 } from './memory-source.ts';
import {
  sampleFcs,
  sampleFile,
  sampleJcamp,
  sampleMzml,
  sampleNifti,
  sampleNotebook,
  sampleZip,
} from './sample-formats.ts';
import { sampleOmeTiff, sampleTiff } from './sample-pictures.ts';
import { sampleCsv, sampleNexus, samplePng } from './sample-files.ts';

/** A drawing with references of each kind. */
const sampleSvg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><style>.a{fill:none}</style>
<defs><path id="m" d="M0 0"/><pattern id="p"><use href="#m"/></pattern></defs><g clip-path="url(#p)" style="fill:url(#p)"><use xlink:href="#m"/></g></svg>`;

const mutations = Number(process.env['LONG_PREVIEW_TEST'] ?? 1500);
/** Files for one worker; the HDF5 library keeps each of them open. */
const perWorker = 500;
const hangMs = 5000;
const maxBytes = 300 * 1024 * 1024;

interface Outcome {
  readonly done: Extract<FuzzReport, { kind: 'done' }> | null;
  readonly wrong: readonly string[];
  /** The mutation at which the thread was ended. */
  readonly hung: number | null;
}

/** Runs mutations in a thread, which is ended at the first file that takes longer than five seconds. */
async function runThread(work: FuzzWork): Promise<Outcome> {
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
    workerData: work,
    // The HDF5 library writes a page of errors for each damaged file.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 300 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const wrong: string[] = [];
  let done: Outcome['done'] = null;
  let current = work.from;
  let hung: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve) => {
      const watch = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          hung = current;
          resolve();
        }, hangMs);
      };
      worker.on('message', (report: FuzzReport) => {
        watch();
        if (report.kind === 'begun') current = report.mutation;
        else if (report.kind === 'wrong') wrong.push(`mutation ${report.mutation}: ${report.words}`);
        else {
          done = report;
          resolve();
        }
      });
      worker.on('error', (error) => {
        wrong.push(`mutation ${current}: ${error instanceof Error ? error.message : String(error)}`);
        resolve();
      });
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
  return { done, wrong, hung };
}

it(`${mutations} mutated files are refused in words, and take neither much memory nor, but for very few, long`, async () => {
  const seeds = [
    { name: 'iron.nxs', bytes: await sampleNexus() },
    { name: 'iron.h5', bytes: await sampleNexus() },
    { name: 'scan.csv', bytes: utf8(sampleCsv(2000)) },
    { name: 'notes.txt', bytes: Buffer.from('Größe 5 µm\n'.repeat(400), 'utf16le') },
    { name: 'a.png', bytes: samplePng(60, 40) },
    { name: 'frames.tif', bytes: sampleTiff({ width: 40, height: 30, pages: 3 }) },
    { name: 'cells.ome.tif', bytes: sampleOmeTiff() },
    { name: 'run.zip', bytes: await sampleZip() },
    { name: 'head.nii', bytes: sampleNifti() },
    { name: 'cells.fcs', bytes: sampleFcs() },
    { name: 'ethanol.jdx', bytes: utf8(sampleJcamp()) },
    { name: 'peptides.mzml', bytes: sampleMzml(40) },
    { name: 'run.mzml', bytes: await sampleFile('psims.mzML') },
    { name: 'head.nii.gz', bytes: await sampleFile('nibabel.nii.gz') },
    { name: 'explicit.dcm', bytes: await sampleFile('pydicom-explicit.dcm') },
    { name: 'implicit.dcm', bytes: await sampleFile('pydicom-implicit.dcm') },
    { name: 'big.dcm', bytes: await sampleFile('pydicom-big.dcm') },
    { name: 'deflated.dcm', bytes: await sampleFile('pydicom-deflated.dcm') },
    { name: 'figure.svg', bytes: utf8(sampleSvg) },
    { name: 'notes.ipynb', bytes: utf8(sampleNotebook()) },
  ];
  let opened = 0;
  let hangs = 0;
  for (let from = 0; from < mutations;) {
    const to = Math.min(mutations, from + perWorker);
    const { done, wrong, hung } = await runThread({ seeds, from, to });
    expect(wrong).toEqual([]);
    if (done !== null) expect(done.maxHeapBytes).toBeLessThan(maxBytes);
    opened += done?.opened ?? 0;
    hangs += hung === null ? 0 : 1;
    from = hung === null ? to : hung + 1;
  }
  // The HDF5 library never returns from a few damaged files; the session ends its worker then.
  expect(hangs).toBeLessThanOrEqual(Math.ceil(mutations / 1000));
  // Mutations that break everything would prove nothing.
  expect(opened).toBeGreaterThan(mutations / 4);
}, 86_400_000);
