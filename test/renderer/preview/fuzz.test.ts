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
/** Number of the first mutation: others than those of the test before. */
const firstMutation = Number(process.env['LONG_PREVIEW_TEST_FROM'] ?? 0);
/** Files for one thread; the HDF5 library keeps each of them open. */
const perThread = 2000;
const threads = 2;
const hangMs = 5000;
const maxThreadBytes = 300 * 1024 * 1024;

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

async function seedFiles(): Promise<FuzzWork['seeds']> {
  // Most of a small file is structure, where a change does the most.
  const nexus = await sampleNexus(300);
  return [
    { name: 'iron.nxs', bytes: nexus },
    { name: 'iron.h5', bytes: nexus },
    { name: 'packed.h5', bytes: await sampleFile('hdf5plugin.h5') },
    { name: 'scan.csv', bytes: utf8(sampleCsv(500)) },
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
}

interface Found {
  opened: number;
  readonly wrong: string[];
  /** Mutations of HDF5 that were ended. */
  readonly hung: number[];
  /** Mutations of other files that took long, and those after which a thread had too many bytes. */
  readonly suspects: number[];
}

/** Runs all mutations, two threads at a time. */
async function runAll(seeds: FuzzWork['seeds']): Promise<Found> {
  const found: Found = { opened: 0, wrong: [], hung: [], suspects: [] };
  const nameOf = (mutation: number): string => seeds[mutation % seeds.length]?.name ?? '';
  const end = firstMutation + mutations;
  const parts = Array.from({ length: Math.ceil(mutations / perThread) }, (_, part) => firstMutation + part * perThread);
  const takeParts = async (): Promise<void> => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const to = Math.min(end, part + perThread);
      for (let from = part; from < to;) {
        const { done, wrong, hung } = await runThread({ seeds, from, to });
        found.wrong.push(...wrong);
        found.opened += done?.opened ?? 0;
        if (done !== null && done.maxBytes > maxThreadBytes) found.suspects.push(done.largest);
        if (hung !== null) (/\.(?:nxs|h5)$/.test(nameOf(hung)) ? found.hung : found.suspects).push(hung);
        // A thread that ended by an error has said so.
        from = hung === null ? (done?.next ?? to) : hung + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: threads }, takeParts));
  // Each is tried again alone, because other files or a busy machine may have been the cause.
  for (const mutation of found.suspects) {
    const { done, hung } = await runThread({ seeds, from: mutation, to: mutation + 1 });
    const problem = `mutation ${mutation}: ${nameOf(mutation)} alone takes`;
    if (hung !== null) found.wrong.push(`${problem} longer than ${hangMs} ms`);
    if (done !== null && done.maxBytes > maxThreadBytes) found.wrong.push(`${problem} ${done.maxBytes} bytes`);
  }
  return found;
}

it(`${mutations} mutated files are refused in words, and take neither much memory nor, but for very few, long`, async () => {
  const { opened, wrong, hung } = await runAll(await seedFiles());
  expect(wrong).toEqual([]);
  // The HDF5 library never returns from a few damaged files; the session ends its worker then.
  expect(hung.length, hung.join(', ')).toBeLessThanOrEqual(Math.ceil(mutations / 1000));
  // Mutations that break everything would prove nothing.
  expect(opened).toBeGreaterThan(mutations / 4);
}, 86_400_000);
