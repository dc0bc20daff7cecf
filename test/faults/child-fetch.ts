import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ChildOrder, ChildReport } from './fetch-child.ts';

export interface ChildFetch {
  readonly process: ChildProcess;
  /** The process's report; null if it was killed before it could send one. */
  readonly ended: Promise<ChildReport | null>;
}

const program = path.join(import.meta.dirname, 'fetch-child.ts');

/** Starts a process that fetches. */
export function startChildFetch(order: ChildOrder): ChildFetch {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'close').then(() => {
    const line = text.trim().split('\n').at(-1) ?? '';
    return line === '' ? null : (JSON.parse(line) as ChildReport);
  });
  return { process: child, ended };
}

/** Repeatable random numbers from 0 to below 1 for a seed, so that a failed run can be repeated. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
