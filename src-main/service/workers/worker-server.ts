import { parentPort } from 'node:worker_threads';
import type { WorkerReply, WorkerRequest } from './worker-client.ts';

/**
 * Answers the requests of a `createWorkerClient`; called once by the file of a worker.
 *
 * @param handle takes a request and returns its answer, or a promise of it.
 */
export function serveWorkerRequests(handle: (question: never) => unknown): void {
  const port = parentPort;
  if (!port) throw new Error('this file is the start of a worker thread');
  port.on('message', ({ id, question }: WorkerRequest<never>) => {
    void (async () => handle(question))().then(
      (value) => port.postMessage({ id, answer: value } satisfies WorkerReply<unknown>),
      (error: unknown) =>
        port.postMessage({
          id,
          failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
        } satisfies WorkerReply<unknown>),
    );
  });
}
