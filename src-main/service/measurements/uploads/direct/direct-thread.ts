import { createWorkerClient, type WorkerClient } from '../../../workers/worker-client.ts';
import { workerFile } from '../../../workers/worker-file.ts';
import type { DirectMethods } from './direct-messages.ts';

const idleMs = 60_000;

export type DirectThread = WorkerClient<DirectMethods>;

/** A thread that verifies archives; it starts with the first of them. */
export function createDirectThread(): DirectThread {
  return createWorkerClient<DirectMethods>(
    { file: workerFile(import.meta.url, 'direct-worker'), name: 'direct', idleMs },
    {},
  );
}
