/** Opens mutated files and asks about them, as a preview does; the test ends it when it hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import { getHeapStatistics } from 'node:v8';
import type { Content } from '../../../src-renderer/preview/messages/content.ts';
import { answer, content } from '../../../src-renderer/preview/messages/content.ts';
import type { Question } from '../../../src-renderer/preview/messages/messages.ts';
import { PreviewError } from '../../../src-renderer/preview/provider/preview-error.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { limitWebAssemblyMemory } from '../../../src-renderer/preview/worker/memory-limit.ts';
import { memorySource } from './memory-source.ts';

/** What a worker is given: the files as they were, and which mutations of them to try. */
export interface FuzzWork {
  readonly seeds: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly from: number;
  readonly to: number;
}

export type FuzzReport =
  | { readonly kind: 'begun'; readonly mutation: number }
  | { readonly kind: 'wrong'; readonly mutation: number; readonly words: string }
  | { readonly kind: 'done'; readonly opened: number; readonly refused: number; readonly maxHeapBytes: number };

/** A generator of numbers that depend on their seed alone, from 0 up to but excluding 1. */
function numbersOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Flips, overwrites, cuts or repeats bytes; the same seed gives the same file. */
function mutate(bytes: Uint8Array, seed: number): Uint8Array {
  const next = numbersOf(seed);
  const changed = Uint8Array.from(bytes);
  const count = 1 + Math.floor(next() * 12);
  // The beginning decides most.
  const place = (): number => Math.floor(changed.length * (next() < 0.5 ? next() ** 4 : next()));
  for (let step = 0; step < count; step += 1) {
    const at = place();
    const kind = next();
    if (kind < 0.5) changed[at] = Math.floor(next() * 256);
    else if (kind < 0.7) changed.fill(next() < 0.5 ? 0xff : 0, at, at + 1 + Math.floor(next() * 8));
    else if (kind < 0.9) changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(next() * 8));
    else changed.copyWithin(at, place(), place());
  }
  return next() < 0.15 ? changed.subarray(0, place()) : changed;
}

function questionsOf({ views, columns, firstDataset }: Content): Question[] {
  const path = firstDataset ?? '/';
  return [
    { kind: 'bytes', offset: 0 },
    ...(views.includes('text') ? ([{ kind: 'text', offset: 0, encoding: null }] as const) : []),
    ...(views.includes('table') ? ([{ kind: 'rows', offset: 0 }] as const) : []),
    ...(views.includes('plot') ? ([{ kind: 'curve', x: null, y: Math.max(0, columns.length - 1) }] as const) : []),
    ...(views.includes('tree')
      ? ([
          { kind: 'node', path: '/' },
          { kind: 'node', path: '/entry' },
          { kind: 'node', path: '/entry/detector/frames' },
          { kind: 'node', path },
          { kind: 'line', path, at: [] },
          { kind: 'plane', path: '/entry/detector/frames', at: [2] },
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

/** Null for a refusal in words; anything else that is thrown is a fault of the reader. */
async function refusable<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PreviewError) return null;
    throw error;
  }
}

async function run({ seeds, from, to }: FuzzWork): Promise<void> {
  limitWebAssemblyMemory(256 * 1024 * 1024);
  let [opened, refused, maxHeapBytes] = [0, 0, 0];
  for (let mutation = from; mutation < to; mutation += 1) {
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
    maxHeapBytes = Math.max(maxHeapBytes, used + external);
  }
  report({ kind: 'done', opened, refused, maxHeapBytes });
}

function report(message: FuzzReport): void {
  parentPort?.postMessage(message);
}

if (parentPort !== null) await run(workerData as FuzzWork);
