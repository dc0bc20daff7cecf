import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { FuzzReport, FuzzWork } from './fuzz-worker.ts';
import { utf8 } from './memory-source.ts';
import { sampleCsv, sampleNexus, samplePng } from './sample-files.ts';

const mutations = Number(process.env['LONG_PREVIEW_TEST'] ?? 1500);
/** Files for one worker; the HDF5 library keeps each of them open. */
const perWorker = 500;
const hangMs = 5000;
const maxBytes = 300 * 1024 * 1024;

interface Outcome {
  readonly done: Extract<FuzzReport, { kind: 'done' }> | null;
  readonly wrong: readonly string[];
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
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve) => {
      const watch = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          wrong.push(`mutation ${current} hangs`);
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
  return { done, wrong };
}

it(`${mutations} mutated files neither hang a reader nor take its memory, and are refused in words`, async () => {
  const seeds = [
    { name: 'iron.nxs', bytes: await sampleNexus() },
    { name: 'iron.h5', bytes: await sampleNexus() },
    { name: 'scan.csv', bytes: utf8(sampleCsv(2000)) },
    { name: 'notes.txt', bytes: Buffer.from('Größe 5 µm\n'.repeat(400), 'utf16le') },
    { name: 'a.png', bytes: samplePng(60, 40) },
  ];
  let opened = 0;
  for (let from = 0; from < mutations; from += perWorker) {
    const { done, wrong } = await runThread({ seeds, from, to: Math.min(mutations, from + perWorker) });
    expect(wrong).toEqual([]);
    expect(done?.maxHeapBytes).toBeLessThan(maxBytes);
    opened += done?.opened ?? 0;
  }
  // Mutations that break everything would prove nothing.
  expect(opened).toBeGreaterThan(mutations / 4);
}, 86_400_000);
