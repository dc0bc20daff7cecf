import { parentPort } from 'node:worker_threads';
import type { Answered, Asked } from './asking-thread.ts';

/**
 * The other end of an `askingThread`: what a worker's file calls once.
 *
 * @param answer takes the questions that the other end asks and gives, perhaps later, the answers that it expects.
 */
export function answerInThread(answer: (question: never) => unknown): void {
  const port = parentPort;
  if (!port) throw new Error('this file is the start of a worker thread');
  port.on('message', ({ id, question }: Asked<never>) => {
    void (async () => answer(question))().then(
      (value) => port.postMessage({ id, answer: value } satisfies Answered<unknown>),
      (error: unknown) => port.postMessage({ id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) } satisfies Answered<unknown>),
    );
  });
}
