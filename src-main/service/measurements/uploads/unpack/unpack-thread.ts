import { createWorkerClient, type WorkerClient } from '../../../workers/worker-client.ts';
import { workerFile } from '../../../workers/worker-file.ts';
import type { Handlers } from '../../../workers/rpc.ts';
import type { UnpackCaller, UnpackMethods } from './unpack-messages.ts';

export type UnpackThread = WorkerClient<UnpackMethods>;

/** A thread that unpacks one upload. */
export function createUnpackThread(caller: Handlers<UnpackCaller>): UnpackThread {
  return createWorkerClient<UnpackMethods, UnpackCaller>(
    { file: workerFile(import.meta.url, 'unpack-worker'), name: 'unpack' },
    caller,
  );
}
