import { workerData } from 'node:worker_threads';
import { serveWorker } from '../../../src-main/service/workers/worker-server.ts';
import type { TestCaller, TestMethods } from './test-methods.ts';

const notes: string[] = [];

const caller = serveWorker<TestMethods, TestCaller>({
  add: (a, b) => a + b,
  measure: (bytes) => ({ length: bytes.length, data: workerData as unknown }),
  fail: (code) => {
    throw Object.assign(new TypeError('it cannot be'), code === null ? {} : { code });
  },
  give: () => () => {},
  wait: async (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  finish: async (milliseconds, signal) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return signal.aborted;
  },
  hang: () => {
    for (;;);
  },
  exit: () => process.exit(3),
  crash: async () => {
    setImmediate(() => {
      throw new RangeError('out of its mind');
    });
    await new Promise(() => {});
  },
  note: (text) => void notes.push(text),
  ask: async (numbers) => {
    const doubled: unknown[] = [];
    for (const value of numbers) {
      caller.notify('seen', [value]);
      doubled.push(await caller.call('double', [value]).catch((error: Error) => error.message));
    }
    return { notes, doubled };
  },
});
