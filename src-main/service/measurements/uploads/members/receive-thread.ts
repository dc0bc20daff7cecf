import { createWorkerClient, type WorkerClient } from '../../../workers/worker-client.ts';
import { workerFile } from '../../../workers/worker-file.ts';
import type { ReceiveMethods } from './receive-messages.ts';

const idleMs = 60_000;

export type ReceiveThread = WorkerClient<ReceiveMethods>;

/** The thread that receives the files of all uploads; it starts with the first of them. */
export function createReceiveThread(): ReceiveThread {
  return createWorkerClient<ReceiveMethods>(
    { file: workerFile(import.meta.url, 'receive-worker'), name: 'receive', idleMs },
    {},
  );
}
