/** Opens mutated files and asks about them, as a preview does; the test ends it when it hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import { getHeapStatistics } from 'node:v8';
import type { Content } from '../../../src-renderer/preview/messages/content.ts';
import { answer, content } from '../../../src-renderer/preview/messages/content.ts';
import type { Question } from '../../../src-renderer/preview/messages/messages.ts';
import { PreviewError } from '../../../src-renderer/preview/provider/preview-error.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { limitWebAssemblyMemory } from '../../../src-renderer/preview/worker/memory-limit.ts';
import { fetchFilter } from './filter-programs.ts';
import { memorySource } from './memory-source.ts';
import { mutate } from './mutate.ts';

/** Input of a worker: the original files, and which mutations of them to try. */
export interface FuzzWork {
  readonly seeds: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly from: number;
  readonly to: number;
}

export type FuzzReport =
  | { readonly kind: 'begun'; readonly mutation: number }
  | { readonly kind: 'wrong'; readonly mutation: number; readonly words: string }
  | {
      readonly kind: 'done';
      readonly opened: number;
      readonly refused: number;
      readonly maxBytes: number;
      /** The mutation after which the thread had the most bytes. */
      readonly largest: number;
      /** The mutation before which the thread ended. */
      readonly next: number;
    };

/** Datasets of `files/hdf5plugin.h5`, each packed by another filter. */
const packed = ['/bitshuffle', '/blosc', '/blosc2', '/lz4', '/lzf', '/zstd'];

function questionsOf({ format, views, columns, firstDataset }: Content): Question[] {
  const path = firstDataset ?? '/';
  return [
    { kind: 'bytes', offset: 0 },
    ...(views.includes('text') ? ([{ kind: 'text', offset: 0, encoding: null }] as const) : []),
    ...(views.includes('drawing') ? ([{ kind: 'drawing' }] as const) : []),
    ...(views.includes('table') ? ([{ kind: 'rows', offset: 0 }] as const) : []),
    ...(views.includes('plot') ? ([{ kind: 'curve', x: null, y: Math.max(0, columns.length - 1) }] as const) : []),
    ...(views.includes('tiles')
      ? ([
          { kind: 'layout', at: [1] },
          { kind: 'coarse', at: [0], sample: null },
          { kind: 'tile', at: [1], sample: 0, level: 0, column: 0, row: 0 },
          { kind: 'tile', at: [0], sample: null, level: 1, column: 1, row: 0 },
        ] as const)
      : []),
    ...(views.includes('tree')
      ? ([
          { kind: 'node', path: '/' },
          { kind: 'node', path: '/entry' },
          { kind: 'node', path: '/entry/detector/frames' },
          { kind: 'node', path },
          { kind: 'line', path, at: [] },
          { kind: 'plane', path: '/entry/detector/frames', at: [2] },
          { kind: 'plane', path, at: [1] },
          { kind: 'line', path, at: [7] },
          { kind: 'line', path: '/chromatograms', at: [0] },
          ...(format === 'HDF5 file' ? packed : []).map(
            (dataset) => ({ kind: 'plane', path: dataset, at: [0] }) as const,
          ),
        ] as const)
      : []),
  ];
}

async function tryOne(name: string, bytes: Uint8Array): Promise<boolean> {
  const opened = await refusable(async () => openFile(memorySource(bytes), name));
  if (opened === null) return false;
  for (const question of questionsOf(content(opened.content)))
    await refusable(async () => answer(await opened.answer(question)));
  return true;
}

/** Whether the HDF5 library has left its memory in disorder, with which no further file is to be tried. */
let isStopped = false;

/** Null for a refusal in words; anything else that is thrown is a fault of the reader. */
async function refusable<T>(attempt: () => Promise<T>): Promise<T | null> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof PreviewError)) throw error;
    isStopped ||= error.message.includes('stopped the HDF5 library');
    return null;
  }
}

async function run({ seeds, from, to }: FuzzWork): Promise<void> {
  limitWebAssemblyMemory(256 * 1024 * 1024);
  globalThis.fetch = fetchFilter;
  // The HDF5 library writes a page of errors for each damaged file, which takes longer than to read it.
  console.error = () => undefined;
  let [opened, refused, maxBytes, largest] = [0, 0, 0, from];
  let mutation = from;
  for (; mutation < to; mutation += 1) {
    if (isStopped) break;
    report({ kind: 'begun', mutation });
    const seed = seeds[mutation % seeds.length];
    if (seed === undefined) continue;
    try {
      if (await tryOne(seed.name, mutate(seed.bytes, mutation))) opened += 1;
      else refused += 1;
    } catch (error) {
      report({
        kind: 'wrong',
        mutation,
        words: `${seed.name}: ${error instanceof Error ? error.stack : String(error)}`,
      });
    }
    const { used_heap_size: used, external_memory: external } = getHeapStatistics();
    if (used + external > maxBytes) [maxBytes, largest] = [used + external, mutation];
  }
  report({ kind: 'done', opened, refused, maxBytes, largest, next: mutation });
}

function report(message: FuzzReport): void {
  parentPort?.postMessage(message);
}

if (parentPort !== null) await run(workerData as FuzzWork);
