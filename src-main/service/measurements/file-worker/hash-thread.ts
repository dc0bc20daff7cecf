import { createWorkerClient } from '../../workers/worker-client.ts';
import { workerFile } from '../../workers/worker-file.ts';
import {
  abortWord,
  bytesWord,
  type HashCaller,
  type HashMethods,
  type SharedState,
} from '../../files/hash-messages.ts';
import type {
  AdoptedFile,
  AdoptRequest,
  FileOutcome,
  ListRequest,
  ListSummary,
  ReadRequest,
} from '../../files/hash-messages.ts';
import type { ListedFile } from '../../files/inspect-findings.ts';

export interface HashThread {
  /**
   * Lists a folder, a file or an archive; one list at a time. `onFiles` receives batches of files
   * in manifest order, unless the list matches the `known` digest of the request.
   */
  list(request: ListRequest, onFiles: (files: readonly ListedFile[]) => Promise<void>): Promise<ListSummary>;
  /**
   * Hashes, imports or copies files. Returns one outcome per file in any order, and fewer when the
   * disk is full.
   */
  run(request: ReadRequest): Promise<readonly FileOutcome[]>;
  /** Takes verified files of an upload into the library. @returns fewer than asked for at the end. */
  adopt(request: AdoptRequest): Promise<readonly AdoptedFile[]>;
  /** The names of all files that were adopted are on disk afterwards. */
  syncAdopted(): Promise<void>;
  /** Removes the folder of an upload, which takes the event loop long for many files. */
  removeAdopted(folder: string): Promise<void>;
  /** Bytes read since the thread was started. */
  bytes(): number;
  /** Aborts running work and terminates the thread. */
  close(): Promise<void>;
}

// Time to remove partial files.
const closeTimeoutMs = 2000;

/**
 * Starts the thread that reads files. When `signal` is aborted, pending requests reject with its
 * reason.
 */
export function startHashThread(signal?: AbortSignal): HashThread {
  const control = new SharedArrayBuffer(16);
  const words = new Int32Array(control, 0, 2);
  const counters = new BigInt64Array(control);
  const closing = new AbortController();
  const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  let onFiles: (files: readonly ListedFile[]) => Promise<void> = async () => {};

  const thread = createWorkerClient<HashMethods, HashCaller>(
    {
      file: workerFile(import.meta.url, 'hash-worker'),
      name: 'hash',
      workerData: () => ({ control }) satisfies SharedState,
    },
    {
      files: async (files) => {
        await onFiles(files);
        // Between batches the event loop can do other work.
        await new Promise(setImmediate);
      },
    },
  );
  // The thread reads synchronously, so a message would reach it too late.
  const abort = (): void => {
    Atomics.store(words, abortWord, 1);
    Atomics.notify(words, abortWord);
  };
  if (stop.aborted) abort();
  stop.addEventListener('abort', abort, { once: true });
  thread.start();

  return {
    list: async (request, receive) => {
      const failed = Promise.withResolvers<never>();
      onFiles = async (files) => {
        try {
          await receive(files);
        } catch (error) {
          failed.reject(error);
          throw error;
        }
      };
      return Promise.race([thread.call('list', [request, stop]), failed.promise]);
    },
    run: async (request) => thread.call('run', [request, stop]),
    adopt: async (request) => thread.call('adopt', [request, stop]),
    syncAdopted: async () => thread.call('syncAdopted', []),
    removeAdopted: async (folder) => thread.call('removeAdopted', [folder]),
    bytes: () => Number(Atomics.load(counters, bytesWord)),
    close: async () => {
      closing.abort(new Error('stopped'));
      await thread.close(new Error('stopped'), closeTimeoutMs);
    },
  };
}
