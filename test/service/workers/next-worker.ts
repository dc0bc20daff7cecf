import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';

const channel = 'worker_threads';

/** The next thread that this process starts under a name, for a test to kill. */
export async function nextWorker(name: string): Promise<Worker> {
  return new Promise((resolve) => {
    const started = (message: unknown): void => {
      const { worker } = message as { readonly worker: Worker };
      // The name is there when the constructor has returned.
      queueMicrotask(() => {
        if (worker.threadName !== name) return;
        unsubscribe(channel, started);
        resolve(worker);
      });
    };
    subscribe(channel, started);
  });
}
