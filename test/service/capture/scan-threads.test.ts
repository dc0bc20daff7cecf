import { expect, test } from 'vitest';
import { FolderHung, ScanThreads, type ScanThread } from '../../../src-main/service/capture/scanning/scan-threads.ts';

const hungAfterMs = 20;

/** A thread whose calls settle when the test says so, for a share that does not answer. */
class SlowThread implements ScanThread {
  readonly progress = new Int32Array(new SharedArrayBuffer(4));
  readonly calls: PromiseWithResolvers<never>[] = [];
  isClosed = false;
  readonly client: ScanThread['client'] = {
    call: async () => {
      const call = Promise.withResolvers<never>();
      this.calls.push(call);
      return call.promise;
    },
    close: async () => {
      this.isClosed = true;
    },
  };

  answer(value: unknown): void {
    for (const { resolve } of this.calls.splice(0)) resolve(value as never);
  }
}

function slowThreads(): { readonly threads: ScanThreads; readonly started: SlowThread[] } {
  const started: SlowThread[] = [];
  const threads = new ScanThreads(hungAfterMs, () => {
    const thread = new SlowThread();
    started.push(thread);
    return thread;
  });
  return { threads, started };
}

test('a folder that hangs keeps its thread, others get a new one, and it is read again when it answers', async () => {
  const { threads, started } = slowThreads();
  await expect(threads.call(1, 'absent', [1, []])).rejects.toThrow(FolderHung);
  await expect(threads.call(1, 'absent', [1, []])).rejects.toThrow(FolderHung);
  // The second call did not wait for a thread.
  expect([started.length, started[0]?.calls.length]).toEqual([1, 1]);

  const other = threads.call(2, 'absent', [2, []]);
  expect(started.length).toBe(2);
  started[1]?.answer(['run-2']);
  expect(await other).toEqual(['run-2']);
  expect(started.map(({ isClosed }) => isClosed)).toEqual([false, false]);

  started[0]?.answer([]);
  await expect.poll(() => started[0]?.isClosed).toBe(true);
  const again = threads.call(1, 'absent', [1, []]);
  expect(started.length).toBe(2);
  started[1]?.answer(['run-1']);
  expect(await again).toEqual(['run-1']);
});

test('two folders that hang have a thread each, and a third is read', async () => {
  const { threads, started } = slowThreads();
  for (const rule of [1, 2]) await expect(threads.call(rule, 'absent', [rule, []])).rejects.toThrow(FolderHung);
  const third = threads.call(3, 'absent', [3, []]);
  started[2]?.answer([]);
  expect(await third).toEqual([]);
  expect(started.length).toBe(3);
  await threads.close();
  expect(started.map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
});

test('a folder that fails is not hung, nor is one that takes long and makes progress', async () => {
  const { threads, started } = slowThreads();
  const call = threads.call(1, 'absent', [1, []]);
  const [thread] = started;
  const moving = setInterval(() => Atomics.add(thread?.progress ?? new Int32Array(1), 0, 1), hungAfterMs / 10);
  try {
    await new Promise((resolve) => setTimeout(resolve, hungAfterMs * 10));
    thread?.calls[0]?.reject(new Error('EIO'));
    await expect(call).rejects.toThrow('EIO');
  } finally {
    clearInterval(moving);
  }
  const next = threads.call(1, 'absent', [1, []]);
  thread?.answer([]);
  expect(await next).toEqual([]);
  expect(started.length).toBe(1);
});
